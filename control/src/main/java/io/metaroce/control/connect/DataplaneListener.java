// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

/** What lanes tell the control thread. */
public interface DataplaneListener {
    /** The payload size is proven; data flows. */
    void onReady(int localId, int payloadBytes);

    /** A path changed its state; words of bounded sets. */
    void onPathChanged(int localId, int pathId, String state, String reason);

    /** The stream is in error and flushes; the word is the first completion status. */
    void onStreamFailed(int localId, int streamId, String status);

    /** The stream has ended and its rings are not touched any more. */
    void onStreamClosed(int localId, int streamId);

    /** The connection is lost; {@link #onConnectionFinished} follows. */
    void onConnectionLost(int localId, String meaning);

    /** The connection has ended and none of its memory is touched any more. */
    void onConnectionFinished(int localId);

    /** The connection announces our planes in packets; the channel says the same, with the same sequence (MOP-CTL-18). */
    void onPlanesAnnounced(int localId, long sequence, int usable);

    /** A local plane can be used, or not. */
    void onPlaneLink(int plane, boolean isUp);
}

// SPDX-License-Identifier: Apache-2.0
package io.metaroce.link;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fuzz target in the form Jazzer calls; its corpus is {@code src/test/resources/fuzz/link}, replayed in every build. The
 * first byte chooses the link type, the second how much longer the frame was on the wire, the rest is the frame. Whatever
 * the bytes: no exception, and a view that never points outside the frame.
 */
public final class LinkParserFuzzTarget {
    private static final LinkType[] TYPES = LinkType.values();

    private LinkParserFuzzTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 2) {
            return;
        }
        LinkType type = TYPES[(input[0] & 0xff) % TYPES.length];
        int length = input.length - 2;
        long wireLength = length + 16L * (input[1] & 0xff);
        UnsafeBuffer frame = GoldenFrame.offHeap(input);
        LinkView view = new LinkView();
        LinkResult result = new LinkParser().parse(type, frame, 2, length, wireLength, view);
        require(result == view.result(), "the result is the view's");
        require(view.isTruncated() == wireLength > length, "truncated is told");
        require(result != LinkResult.OK || view.capturedPayloadLength() == view.payloadLength(), "OK is whole");
        if (view.hasPayload()) {
            require(view.payloadOffset() >= 2 + 28, "headers come first");
            require(view.capturedPayloadLength() >= 0, "lengths are not negative");
            require(view.capturedPayloadLength() <= view.payloadLength(), "no more than the packet had");
            require(view.payloadOffset() + view.capturedPayloadLength() <= input.length, "inside the frame");
        }
        if (view.hasAddresses()) {
            EcnField.rewrite(frame, view.networkOffset(), 3);
            LinkView again = new LinkView();
            require(
                    new LinkParser().parse(type, frame, 2, length, wireLength, again) == result,
                    "a mark changes no result");
            require(again.ecn() == 3, "the mark is read back");
        }
    }

    private static void require(boolean isTrue, String what) {
        if (!isTrue) {
            throw new AssertionError(what);
        }
    }
}

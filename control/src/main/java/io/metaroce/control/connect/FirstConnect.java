// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.control.connect.ControlMessage.Accept;
import io.metaroce.control.connect.ControlMessage.Close;
import java.net.InetSocketAddress;

/** What becomes of the application's connect: a connection, or the id given back and one line. */
final class FirstConnect implements OutgoingConnect.Outcome {
    private final ConnectionManager manager;
    private final InetSocketAddress address;
    private final ConnectionSet.Reservation reservation;
    private final ConnectionManager.ConnectListener listener;

    FirstConnect(
            ConnectionManager manager,
            InetSocketAddress address,
            ConnectionSet.Reservation reservation,
            ConnectionManager.ConnectListener listener) {
        this.manager = manager;
        this.address = address;
        this.reservation = reservation;
        this.listener = listener;
    }

    @Override
    public void onAccepted(ChannelEnd end, Accept accept, long nowNs) {
        try {
            listener.onConnected(manager.establishDialed(end, accept, reservation, address));
        } catch (ConnectFailure | DataplaneException e) {
            String why = String.valueOf(e.getMessage());
            end.channel.send(new Close(CloseCode.LOST, why));
            manager.dropChannel(end);
            onFailed(CloseCode.LOST, OutgoingConnect.text(address) + ": " + why, nowNs);
        }
    }

    @Override
    public void onFailed(CloseCode code, String why, long nowNs) {
        manager.release(reservation, nowNs);
        listener.onFailed(why);
    }

    @Override
    public void onWaiting(String why) {
        listener.onWaiting(why);
    }
}

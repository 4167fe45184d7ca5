// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import io.metaroce.control.connect.ControlMessage.Accept;
import io.metaroce.control.connect.ControlMessage.Close;
import io.metaroce.control.connect.ControlMessage.Connect;
import io.metaroce.control.connect.ControlMessage.Hello;
import io.metaroce.control.connect.ControlMessage.Refuse;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Dials a peer until it answers: a peer that is not there yet, or whose channel breaks before the answer, is tried again
 * with growing pauses until the deadline. All tries name the same attempt, so that a peer that has granted it already
 * grants the same again and nothing is half open.
 */
final class OutgoingConnect implements Dialer.DialListener {
    /** MOP-CTL-19: again at once, then after pauses that double. */
    static final long PAUSE_FIRST_NS = 100_000_000L;

    /** Where a person waits for the first answer, pauses stay short. */
    static final long PAUSE_MAX_NS = 1_000_000_000L;

    static final long PAUSE_MAX_RESUME_NS = 10_000_000_000L;

    /** How it ended; exactly one of the two is told, once. */
    interface Outcome {
        void onAccepted(ChannelEnd end, Accept accept, long nowNs);

        void onFailed(CloseCode code, String why, long nowNs);

        /** The peer is not there (yet); told once. */
        void onWaiting(String why);
    }

    private enum State {
        PAUSING,
        DIALING,
        HANDSHAKING,
        ENDED
    }

    /**
     * What is wanted.
     *
     * @param attempt names the connection to the peer
     * @param resume the connection exists and only its channel is new
     */
    record Target(InetSocketAddress address, long attempt, boolean resume, ConnectionSet.Reservation reservation) {}

    private final ConnectionManager manager;
    private final Target target;
    private final long deadlineNs;
    private final Outcome outcome;

    private State state = State.PAUSING;
    private long nextDialNs;
    private long pauseNs = PAUSE_FIRST_NS;
    private boolean toldWaiting;
    private String lastTrouble = "no answer";
    private @Nullable ChannelEnd end;

    /**
     * @param deadlineNs when to give up; {@link Long#MAX_VALUE} never
     */
    OutgoingConnect(ConnectionManager manager, Target target, long firstDialNs, long deadlineNs, Outcome outcome) {
        this.manager = manager;
        this.target = target;
        this.nextDialNs = firstDialNs;
        this.deadlineNs = deadlineNs;
        this.outcome = outcome;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    void onTick(long nowNs) {
        if (state != State.ENDED && deadlineNs != Long.MAX_VALUE && nowNs - deadlineNs >= 0) {
            fail(CloseCode.HANDSHAKE, "no connection to " + text(target.address()) + " in time: " + lastTrouble, nowNs);
        } else if (state == State.PAUSING && nowNs - nextDialNs >= 0) {
            state = State.DIALING;
            manager.dial(target.address(), this);
        } else if (state == State.HANDSHAKING && end != null && nowNs - end.deadlineNs >= 0) {
            lastTrouble = "the peer accepted the channel but does not answer";
            manager.dropChannel(end);
            pause(nowNs);
        }
    }

    @Override
    public void onDialFailed(String why, long nowNs) {
        if (state == State.DIALING) {
            tryAgain(why, nowNs);
        }
    }

    @Override
    public void onDialed(ControlChannel channel, long nowNs) {
        if (state != State.DIALING) {
            channel.close();
            return;
        }
        state = State.HANDSHAKING;
        end = manager.addDialed(channel, this, nowNs);
    }

    /** The channel broke before an answer. */
    void onChannelLost(String why, long nowNs) {
        if (state == State.HANDSHAKING) {
            end = null;
            tryAgain(why, nowNs);
        }
    }

    void onHello(Hello hello, long nowNs) {
        String mismatch = Identity.mismatch(hello);
        if (mismatch != null) {
            failTelling(CloseCode.VERSION, mismatch, mismatch, nowNs);
        } else if (state == State.HANDSHAKING && end != null) {
            // MOP-CTL-5, MOP-CTL-8: nothing else before the peer's HELLO is read.
            ControlChannel channel = end.channel;
            channel.send(new Connect(target.attempt(), target.resume(), manager.offer(target.reservation(), channel)));
        }
    }

    void onMessage(ControlMessage message, long nowNs) throws ControlProtocolException {
        if (state != State.HANDSHAKING || end == null) {
            return;
        }
        if (message instanceof Accept accept && accept.attempt() == target.attempt()) {
            state = State.ENDED;
            outcome.onAccepted(end, accept, nowNs);
        } else if (message instanceof Refuse refuse && refuse.attempt() == target.attempt()) {
            onRefused(refuse, nowNs);
        } else if (message instanceof Close close) {
            onClosed(close, nowNs);
        } else {
            throw new ControlProtocolException("ACCEPT or REFUSE expected");
        }
    }

    private void onRefused(Refuse refuse, long nowNs) {
        if (refuse.code() == RefuseCode.BUSY) {
            dropChannel();
            tryAgain(refuse.reason(), nowNs);
            return;
        }
        CloseCode code = refuse.code() == RefuseCode.UNKNOWN_CONNECTION ? CloseCode.RESTARTED : CloseCode.LOST;
        fail(code, text(target.address()) + " refused: " + refuse.reason(), nowNs);
    }

    private void onClosed(Close close, long nowNs) {
        if (close.code() == CloseCode.HANDSHAKE || close.code() == CloseCode.SHUTDOWN) {
            dropChannel();
            tryAgain(close.reason(), nowNs);
        } else {
            fail(close.code(), text(target.address()) + " closed the channel: " + close.reason(), nowNs);
        }
    }

    private void tryAgain(String why, long nowNs) {
        lastTrouble = why;
        if (!toldWaiting) {
            toldWaiting = true;
            outcome.onWaiting("waiting for peer " + text(target.address()) + ": " + why);
        }
        pause(nowNs);
    }

    /** Twice as long each time, and up to a quarter more at random, so that many clients do not come in step. */
    private void pause(long nowNs) {
        state = State.PAUSING;
        nextDialNs = nowNs + pauseNs + manager.randomBelow(pauseNs / 4);
        pauseNs = Math.min(2 * pauseNs, target.resume() ? PAUSE_MAX_RESUME_NS : PAUSE_MAX_NS);
    }

    void fail(CloseCode code, String why, long nowNs) {
        if (state == State.ENDED) {
            return;
        }
        dropChannel();
        state = State.ENDED;
        outcome.onFailed(code, why, nowNs);
    }

    /** Fails, and tells the peer its part of the reason. */
    void failTelling(CloseCode code, String toPeer, String why, long nowNs) {
        if (end != null) {
            end.channel.send(new Close(code, toPeer));
        }
        fail(code, why, nowNs);
    }

    /** Ends without telling anyone. */
    void cancel() {
        dropChannel();
        state = State.ENDED;
    }

    private void dropChannel() {
        if (end != null) {
            manager.dropChannel(end);
            end = null;
        }
    }

    static String text(InetSocketAddress address) {
        String host = address.getHostString();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}

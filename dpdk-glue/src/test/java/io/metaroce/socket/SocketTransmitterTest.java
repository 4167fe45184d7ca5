// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.PacketBurst;
import io.metaroce.port.PortCounter;
import io.metaroce.port.PortCounters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a burst when the kernel takes part of it, none of it, or complains; the kernel is played here. */
class SocketTransmitterTest {
    private static final int EPERM = 1;
    private static final int EINTR = 4;
    private static final int EIO = 5;
    private static final int EAGAIN = 11;
    private static final int EINVAL = 22;
    private static final int EMSGSIZE = 90;
    private static final int ENOBUFS = 105;
    private static final int ECONNREFUSED = 111;

    private final LocalAddress address = LocalAddress.resolve(Ports.settings("127.0.0.1", 0));
    private final SourcePorts sourcePorts = new SourcePorts(address, Ports.settings("127.0.0.1", 0), 1);
    private final PortCounters counters = new PortCounters();
    private final Kernel kernel = new Kernel();
    private final SocketTransmitter transmitter =
            new SocketTransmitter(kernel, address, sourcePorts, Ports.FRAME_BYTES, 1, counters);
    private final PacketBurst burst = new PacketBurst(8);

    @AfterEach
    void close() {
        sourcePorts.close();
    }

    /** Fills the burst with packets of one source port, or of two in turn. */
    private void offer(int count, int entropies) {
        burst.size(count);
        for (int i = 0; i < count; i++) {
            burst.data(i, 4096);
            burst.length(i, 100);
            burst.address(i, 0, io.metaroce.port.IpAddress.mapped(0x7f000001));
            burst.localPort(i, sourcePorts.port(i % entropies));
            burst.remotePort(i, 4795);
        }
    }

    private SocketTransmitter segmenting() {
        return new SocketTransmitter(kernel, address, sourcePorts, Ports.FRAME_BYTES, 64, counters);
    }

    @Test
    void aRunOfEqualLengthsIsOneMessageAndAShorterPacketEndsIt() {
        offer(8, 1);
        burst.length(4, 60); // Ends the first message: 0 to 4.
        burst.length(7, 120); // Longer than those before: a message of its own.
        assertThat(segmenting().transmit(burst)).isEqualTo(8);

        assertThat(kernel.calls).containsExactly(3);
        assertThat(counters.get(PortCounter.TX_PACKETS)).isEqualTo(8);
        assertThat(counters.get(PortCounter.TX_BYTES)).isEqualTo(780);
        assertThat(counters.get(PortCounter.TX_SUPER_PACKETS)).isEqualTo(2);
    }

    @Test
    void anotherDestinationIsAnotherMessage() {
        offer(4, 1);
        burst.remotePort(2, 4796);
        assertThat(segmenting().transmit(burst)).isEqualTo(4);

        assertThat(kernel.calls).containsExactly(3);
    }

    @Test
    void aKernelThatTakesTheFirstMessageOnlyIsOfferedTheRestAgain() {
        kernel.answers.add(1);
        kernel.answers.add(-EAGAIN);
        offer(8, 1);
        burst.length(4, 60);
        assertThat(segmenting().transmit(burst)).isEqualTo(5);

        assertThat(counters.get(PortCounter.TX_BUSY)).isEqualTo(3);
    }

    @Test
    void aMessageRefusedAsOneGoesPacketByPacketAndOnlyTheBadOneIsLost() {
        kernel.answers.add(-EINVAL); // The message of eight.
        kernel.answers.add(3);
        kernel.answers.add(-EMSGSIZE); // The fourth packet alone.
        offer(8, 1);
        SocketTransmitter segmenting = segmenting();
        assertThat(segmenting.transmit(burst)).isEqualTo(8);

        assertThat(counters.get(PortCounter.TX_ERRORS)).isEqualTo(1);
        assertThat(counters.get(PortCounter.TX_PACKETS)).isEqualTo(7);
        assertThat(segmenting.segments()).isTrue();
    }

    @Test
    void aDeviceThatCannotSegmentIsNotAskedAgain() {
        kernel.answers.add(-EIO);
        offer(8, 1);
        SocketTransmitter segmenting = segmenting();
        assertThat(segmenting.transmit(burst)).isEqualTo(8);

        assertThat(segmenting.segments()).isFalse();
        assertThat(counters.get(PortCounter.TX_ERRORS)).isZero();
        assertThat(kernel.calls).containsExactly(1, 8);
    }

    @Test
    void aRunOfOneSourcePortIsOneCallAndEveryChangeAnother() {
        offer(8, 1);
        assertThat(transmitter.transmit(burst)).isEqualTo(8);
        assertThat(kernel.calls).containsExactly(8);

        offer(4, 2);
        assertThat(transmitter.transmit(burst)).isEqualTo(4);
        assertThat(kernel.calls).containsExactly(8, 1, 1, 1, 1);
    }

    @Test
    void aKernelWithoutRoomEndsTheBurstAfterWhatItTook() {
        kernel.answers.add(3);
        kernel.answers.add(-EAGAIN);
        offer(8, 1);

        assertThat(transmitter.transmit(burst)).isEqualTo(3);
        assertThat(counters.get(PortCounter.TX_PACKETS)).isEqualTo(3);
        assertThat(counters.get(PortCounter.TX_BUSY)).isEqualTo(5);

        kernel.answers.add(-ENOBUFS);
        assertThat(transmitter.transmit(burst)).isZero();
        assertThat(counters.get(PortCounter.TX_ERRORS)).isZero();
    }

    @Test
    void aPacketRefusedForGoodIsCountedAndTheRestGoes() {
        kernel.answers.add(2);
        kernel.answers.add(-EMSGSIZE);
        kernel.answers.add(1);
        kernel.answers.add(-EPERM);
        offer(8, 1);

        assertThat(transmitter.transmit(burst)).isEqualTo(8);
        assertThat(counters.get(PortCounter.TX_ERRORS)).isEqualTo(2);
        assertThat(counters.get(PortCounter.TX_PACKETS)).isEqualTo(6);
        assertThat(counters.get(PortCounter.TX_BYTES)).isEqualTo(600);
    }

    @Test
    void anErrorThatAnEarlierPacketLeftBehindLosesNothing() {
        kernel.answers.add(-ECONNREFUSED);
        kernel.answers.add(-EINTR);
        offer(4, 1);

        assertThat(transmitter.transmit(burst)).isEqualTo(4);
        assertThat(counters.get(PortCounter.TX_PACKETS)).isEqualTo(4);
        assertThat(counters.get(PortCounter.TX_ERRORS)).isZero();
    }

    @Test
    void aKernelThatOnlyComplainsIsNotAskedForEver() {
        for (int i = 0; i < 1_000; i++) {
            kernel.answers.add(-ECONNREFUSED);
        }
        offer(8, 1);

        assertThat(transmitter.transmit(burst)).isEqualTo(8);
        assertThat(counters.get(PortCounter.TX_ERRORS)).isEqualTo(8);
        assertThat(kernel.calls).hasSize(24);
    }

    /** Answers sendmmsg as told, with everything when told nothing. */
    private static final class Kernel implements LibC {
        final Deque<Integer> answers = new ArrayDeque<>();
        final List<Integer> calls = new ArrayList<>();

        @Override
        public int sendmmsg(int fd, long messages, int count, int flags) {
            calls.add(count);
            Integer answer = answers.poll();
            if (answer == null) {
                return count;
            }
            if (answer < 0) {
                jnr.ffi.Runtime.getSystemRuntime().setLastError(-answer);
                return -1;
            }
            return answer;
        }

        @Override
        public int socket(int domain, int type, int protocol) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int bind(int fd, long address, int addressLength) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getsockname(int fd, long address, long addressLengthAddress) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int setsockopt(int fd, int level, int option, long value, int valueLength) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getsockopt(int fd, int level, int option, long value, long valueLengthAddress) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int recvmmsg(int fd, long messages, int count, int flags, long timeoutAddress) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int ioctl(int fd, long request, long argument) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int sched_setaffinity(int processId, long maskBytes, long mask) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int close(int fd) {
            throw new UnsupportedOperationException();
        }
    }
}

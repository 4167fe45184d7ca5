// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** Aeron over UDP with two embedded drivers, each driven by its application's thread: its best on few processors. */
final class AeronLoop {
    private static final int MESSAGE = 1 << 20;
    private static final int TERM_BYTES = 16 << 20;
    private static final int SOCKET_BYTES = 2 << 20;
    private static final int STREAM = 7;
    private static final int FRAGMENTS = 64;
    private static final String CHANNEL = "aeron:udp?endpoint=127.0.0.1:18735";

    private final int mtuBytes;

    AeronLoop(int mtuBytes) {
        this.mtuBytes = mtuBytes;
    }

    double run(int seconds) throws InterruptedException {
        LoopClock clock = new LoopClock(seconds);
        Thread receiver = new Thread(() -> receive(clock), "bench-receiver");
        receiver.start();
        send(clock);
        receiver.join();
        return clock.bytesPerSecond();
    }

    private MediaDriver driver(String name) {
        return MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(new File(
                                System.getProperty("java.io.tmpdir"),
                                "metaroce-bench-" + ProcessHandle.current().pid() + name)
                        .getPath())
                .threadingMode(ThreadingMode.INVOKER)
                .publicationTermBufferLength(TERM_BYTES)
                .initialWindowLength(SOCKET_BYTES)
                .socketSndbufLength(SOCKET_BYTES)
                .socketRcvbufLength(SOCKET_BYTES)
                .mtuLength(mtuBytes)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true));
    }

    private static Aeron connect(MediaDriver driver) {
        return Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .driverAgentInvoker(driver.sharedAgentInvoker())
                .useConductorAgentInvoker(true));
    }

    private void receive(LoopClock clock) {
        try (MediaDriver driver = driver("-receiver");
                Aeron aeron = connect(driver);
                Subscription subscription = aeron.addSubscription(CHANNEL, STREAM)) {
            FragmentAssembler whole = new FragmentAssembler((buffer, offset, length, header) -> clock.onBytes(length));
            while (!clock.isOver()) {
                int work = driver.sharedAgentInvoker().invoke()
                        + aeron.conductorAgentInvoker().invoke()
                        + subscription.poll(whole, FRAGMENTS);
                if (work == 0) {
                    LoopClock.pause();
                }
            }
        }
    }

    private void send(LoopClock clock) {
        UnsafeBuffer message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(MESSAGE, 64));
        try (MediaDriver driver = driver("-sender");
                Aeron aeron = connect(driver);
                ExclusivePublication publication = aeron.addExclusivePublication(CHANNEL, STREAM)) {
            while (!clock.isOver()) {
                boolean isTaken = publication.offer(message, 0, MESSAGE) > 0;
                int work = driver.sharedAgentInvoker().invoke()
                        + aeron.conductorAgentInvoker().invoke();
                if (!isTaken && work == 0) {
                    LoopClock.pause();
                }
            }
        }
    }
}

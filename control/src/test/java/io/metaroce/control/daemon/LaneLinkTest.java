// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.daemon;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaroce.control.connect.DataplaneException;
import io.metaroce.counters.CounterBlock;
import io.metaroce.counters.LaneCounter;
import io.metaroce.lane.Lane;
import io.metaroce.lane.LaneRunner;
import io.metaroce.lane.LaneSettings;
import io.metaroce.port.Framing;
import io.metaroce.port.PacketPort;
import io.metaroce.port.PortCapabilities;
import java.lang.reflect.Proxy;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LaneLinkTest {
    private static final LaneLink.Command REMOVE_MEMORY =
            (control, correlation) -> control.removeMemory(correlation, 77);

    private final Lane lane = new Lane(
            LaneSettings.DEFAULT,
            List.of(silentPort()),
            new CounterBlock(
                    new UnsafeBuffer(BufferUtil.allocateDirectAligned(CounterBlock.bytesFor(LaneCounter.count()), 64)),
                    0,
                    LaneCounter.count()));
    private final LaneLink link = new LaneLink(0, lane.control(), List.of(), List.of());

    /** Memory that is unmapped while a lane may still write to it ends the process. */
    @Test
    void aLaneThatDoesNotAnswerKeepsTheMemoryItMayTouch() {
        assertThatThrownBy(() -> link.takeAway(REMOVE_MEMORY))
                .isInstanceOf(DataplaneException.class)
                .hasMessage("lane 0 does not answer");
    }

    @Test
    void whatTheLaneDoesNotKnowIsGoneAndSoIsAllWhenItHasEnded() {
        try (LaneRunner runner = new LaneRunner(lane, LaneSettings.DEFAULT, LaneRunner.Settings.named("lane-test"))) {
            runner.start();

            assertThatThrownBy(() -> link.carryOut(REMOVE_MEMORY)).hasMessageContaining("no registration");
            assertThatCode(() -> link.takeAway(REMOVE_MEMORY)).doesNotThrowAnyException();
        }

        assertThatCode(() -> link.takeAway(REMOVE_MEMORY)).doesNotThrowAnyException();
    }

    /** A port that carries nothing: all it is asked for is none. */
    private static PacketPort silentPort() {
        return (PacketPort) Proxy.newProxyInstance(
                LaneLinkTest.class.getClassLoader(),
                new Class<?>[] {PacketPort.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "capabilities" -> new PortCapabilities(Framing.DATAGRAM, 1_500, 1 << 20, 1, 1, true, "silent");
                    case "linkIsUp" -> true;
                    case "counter" -> 0L;
                    case "release", "close" -> null;
                    default -> 0;
                });
    }
}

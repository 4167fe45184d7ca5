// SPDX-License-Identifier: Apache-2.0
package io.metaroce.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaroce.port.PacketClassifier;
import io.metaroce.wire.AckFlyweight;
import io.metaroce.wire.CreditFlyweight;
import io.metaroce.wire.DataFlyweight;
import io.metaroce.wire.PacketType;
import io.metaroce.wire.ProbeFlyweight;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class MopClassifierTest {
    private final MopClassifier classifier = new MopClassifier();
    private final UnsafeBuffer packet = new UnsafeBuffer(new byte[64]);

    @Test
    void dataAcksAndProbesTellTheirPath() {
        DataFlyweight data = new DataFlyweight();
        data.wrap(packet, 0);
        data.versionAndType(PacketType.DATA);
        data.pathId(200);
        assertThat(classifier.pathId(packet)).isEqualTo(200);
        assertThat(classifier.isData(packet)).isTrue();

        AckFlyweight ack = new AckFlyweight();
        ack.wrap(packet, 0);
        ack.versionAndType(PacketType.ACK);
        ack.pathId(7);
        assertThat(classifier.pathId(packet)).isEqualTo(7);
        assertThat(classifier.isData(packet)).isFalse();

        ProbeFlyweight probe = new ProbeFlyweight();
        probe.wrap(packet, 0);
        probe.versionAndType(PacketType.PROBE);
        probe.pathId(9);
        assertThat(classifier.pathId(packet)).isEqualTo(9);
        assertThat(classifier.isData(packet)).isFalse();
    }

    @Test
    void creditsBelongToNoPath() {
        CreditFlyweight credit = new CreditFlyweight();
        credit.wrap(packet, 0);
        credit.versionAndType(PacketType.CREDIT);

        assertThat(classifier.pathId(packet)).isEqualTo(PacketClassifier.NO_PATH);
        assertThat(classifier.isData(packet)).isFalse();
    }

    @Test
    void whatIsNotOursIsNothing() {
        for (int length = 0; length < 16; length++) {
            assertThat(classifier.pathId(new UnsafeBuffer(new byte[length]))).isEqualTo(PacketClassifier.NO_PATH);
            assertThat(classifier.isData(new UnsafeBuffer(new byte[length]))).isFalse();
        }
        assertThat(classifier.pathId(packet)).isEqualTo(PacketClassifier.NO_PATH); // Version 0.
    }
}

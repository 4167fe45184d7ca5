// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import io.metaroce.pcap.CaptureReader;
import io.metaroce.pcap.PacketRecord;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class DecodeRobustnessTest {
    @Property(tries = 300)
    void noCaptureIsAnExceptionOrMoreThanOneLineForEachPacket(@ForAll long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        TestCapture capture = new TestCapture();
        for (int i = 0; i < 8; i++) {
            capture.write(random.nextInt(600)).frame(random.nextInt(20, 800));
            capture.sendImmediate(random.nextInt(600)).flip(random.nextInt(48)).frame();
            capture.ack().flip(random.nextInt(80)).frame(random.nextInt(20, 200));
            capture.probe(random.nextInt(600)).flip(random.nextInt(16)).frame();
        }
        byte[] bytes = capture.bytes();
        for (int i = random.nextInt(30); i > 0; i--) {
            bytes[random.nextInt(60, bytes.length)] = (byte) random.nextInt();
        }

        CaptureReader reader = new CaptureReader(Channels.newChannel(new ByteArrayInputStream(bytes)));
        FrameDescriber describer = new FrameDescriber(new PortRange(1, 65535));
        PacketRecord packet = new PacketRecord();
        Line line = new Line();
        LineText text = new LineText();
        LineJson json = new LineJson();
        while (reader.next(packet)) {
            describer.describe(reader, packet, line);
            String printed = text.of(line) + json.of(line);
            if (printed.chars().anyMatch(Character::isISOControl)) {
                throw new AssertionError("a control character in: " + printed);
            }
        }
    }
}

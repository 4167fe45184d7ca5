// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Fuzz target in the form Jazzer calls; its corpus is {@code src/test/resources/fuzz/control}, replayed in every build. The
 * input is a channel's bytes: frames are cut, bodies are read, and what is read is written and read again. Whatever the bytes:
 * messages that survive the round trip, or one clear line.
 */
public final class ControlCodecFuzzTarget {
    private static final int LINE_LENGTH_MAX = 600;

    private ControlCodecFuzzTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        FrameAssembler assembler = new FrameAssembler();
        ByteBuffer bytes = ByteBuffer.wrap(input);
        try {
            while (bytes.hasRemaining()) {
                byte @Nullable [] body = assembler.take(bytes);
                if (body != null) {
                    roundTrip(ControlCodec.decode(body));
                }
            }
        } catch (ControlProtocolException e) {
            String line = String.valueOf(e.getMessage());
            if (line.isEmpty()
                    || line.length() > LINE_LENGTH_MAX
                    || line.chars().anyMatch(Character::isISOControl)) {
                throw new AssertionError("not one clear line: " + line, e);
            }
        }
    }

    private static void roundTrip(ControlMessage message) throws ControlProtocolException {
        if (message instanceof ControlMessage.Hello hello && hello.version() != ControlMessage.VERSION) {
            return; // Of another version only the version is kept.
        }
        byte[] frame = ControlCodec.encode(message);
        byte[] body = new byte[frame.length - ControlCodec.PREFIX_BYTES];
        System.arraycopy(frame, ControlCodec.PREFIX_BYTES, body, 0, body.length);
        if (!ControlCodec.decode(body).equals(message)) {
            throw new AssertionError("not the same after a round trip: " + message.getClass());
        }
    }
}

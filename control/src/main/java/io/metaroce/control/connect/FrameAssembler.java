// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a channel into message bodies. Holds at most one message, and memory only for what has arrived: a peer
 * that announces much and sends little costs little.
 */
final class FrameAssembler {
    private static final int FIRST_ALLOCATION_BYTES = 1024;

    private int bodyLength = -1;
    private int prefixBytes;
    private int prefix;
    private byte[] body = new byte[0];
    private int filled;

    /**
     * Takes bytes up to the end of one body.
     *
     * @return the body, or null when all bytes were taken and the body is not whole yet
     */
    byte @Nullable [] take(ByteBuffer bytes) throws ControlProtocolException {
        while (bodyLength < 0 && bytes.hasRemaining()) {
            prefix = prefix << 8 | (bytes.get() & 0xff);
            prefixBytes++;
            if (prefixBytes == ControlCodec.PREFIX_BYTES) {
                startBody();
            }
        }
        if (bodyLength < 0) {
            return null;
        }
        int count = Math.min(bytes.remaining(), bodyLength - filled);
        grow(filled + count);
        bytes.get(body, filled, count);
        filled += count;
        return filled == bodyLength ? finishBody() : null;
    }

    private void startBody() throws ControlProtocolException {
        // MOP-CTL-1, MOP-CTL-4
        if (prefix < 2 || prefix > ControlCodec.BODY_BYTES_MAX) {
            throw new ControlProtocolException("not a MetaRoCE control channel: a message of "
                    + Integer.toUnsignedString(prefix) + " bytes (2 to " + ControlCodec.BODY_BYTES_MAX + ")");
        }
        bodyLength = prefix;
        filled = 0;
    }

    private byte[] finishBody() {
        byte[] whole = body.length == bodyLength ? body : Arrays.copyOf(body, bodyLength);
        body = new byte[0];
        bodyLength = -1;
        prefix = 0;
        prefixBytes = 0;
        filled = 0;
        return whole;
    }

    private void grow(int needed) {
        if (needed > body.length) {
            int doubled = Math.max(FIRST_ALLOCATION_BYTES, body.length * 2);
            body = Arrays.copyOf(body, Math.min(bodyLength, Math.max(needed, doubled)));
        }
    }
}

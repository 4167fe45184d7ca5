// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The control channel as the suite speaks it: JSON as it comes, so that it can say what is wrong, too. */
final class Channel implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int CONNECT_TIMEOUT_MS = 3_000;
    private static final int BODY_BYTES_MAX = 64 << 10;
    private final Socket socket = new Socket();
    private final DataInputStream in;

    Channel(InetSocketAddress target) throws IOException {
        socket.connect(target, CONNECT_TIMEOUT_MS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    String localAddress() {
        return socket.getLocalAddress().getHostAddress();
    }

    void send(String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        raw(ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array());
    }

    void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** The next message; null at the end of the channel. */
    @Nullable
    JsonNode read(int withinMs) throws IOException {
        socket.setSoTimeout(Math.max(1, withinMs));
        try {
            int length = in.readInt();
            if (length < 2 || length > BODY_BYTES_MAX) {
                throw new CaseFailure("MOP-CTL-1", "a message of 2 to 65536 bytes", "a length of " + length);
            }
            return MAPPER.readTree(in.readNBytes(length));
        } catch (EOFException e) {
            return null;
        } catch (SocketTimeoutException e) {
            throw new CaseFailure("", "a control message within " + withinMs + " ms", "silence");
        }
    }

    /** The next message of a type, over all others; null at the end of the channel. */
    @Nullable
    JsonNode readType(String type, int withinMs) throws IOException {
        JsonNode message = read(withinMs);
        while (message != null && !message.path("type").asText().equals(type)) {
            message = read(withinMs);
        }
        return message;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlCodecTest {
    private static final String MUTATIONS = "0123456789{}[]\",:-e\u0000\u007f\\un";

    @Test
    void readsBackEveryMessage() throws Exception {
        for (ControlMessage message : Messages.ALL) {
            assertThat(ControlCodec.decode(body(message))).isEqualTo(message);
        }
        assertThat(Messages.ALL.stream().map(Object::getClass))
                .as("an example of every message")
                .containsExactlyInAnyOrder(ControlMessage.class.getPermittedSubclasses());
    }

    @Test
    void writesTheTextOfTheSpecification() {
        assertThat(text(Messages.ALL.get(0)))
                .isEqualTo(
                        "{\"type\":\"HELLO\",\"version\":1,\"profile\":\"MOP/1\",\"capabilities\":[\"plane-status\"],"
                                + "\"incarnation\":\"8000000000000001\",\"node\":\"host-a\"}");
        assertThat(text(Messages.ALL.get(1)))
                .isEqualTo("{\"type\":\"CONNECT\",\"attempt\":\"0000000000000007\",\"resume\":false,\"offer\":"
                        + "{\"connection_id\":3735928559,\"planes\":[{\"address\":\"127.0.0.1\",\"udp_port\":4795,"
                        + "\"payload_bytes_max\":8192,\"receive_buffer_bytes\":212992,\"burst_packets\":7},"
                        + "{\"address\":\"fe80::1\",\"udp_port\":4796,\"payload_bytes_max\":1024,"
                        + "\"receive_buffer_bytes\":1,\"burst_packets\":1}],\"limits\":{\"payload_bytes_max\":4096,"
                        + "\"csn_window_packets\":16384,\"message_window\":1024,\"streams_max\":16,\"paths\":8},"
                        + "\"incast_degree\":3,\"operations\":[\"WRITE\",\"SEND\"],\"check\":\"crc32c\"}}");
        assertThat(text(Messages.ALL.get(3)))
                .isEqualTo("{\"type\":\"REFUSE\",\"attempt\":\"ffffffffffffffff\",\"code\":\"limit\","
                        + "\"reason\":\"all 4096 connections are taken\"}");
    }

    @Test
    void putsTheLengthOfTheBodyInFrontInNetworkOrder() {
        // MOP-CTL-1
        byte[] frame = ControlCodec.encode(Messages.ALL.get(0));

        assertThat(ByteBuffer.wrap(frame).getInt()).isEqualTo(frame.length - 4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "not json | a message is not valid JSON",
                "{'type':'DRAIN','reason':'x'} {} | a message is not valid JSON",
                "{'type':'DRAIN','reason':'x','reason':'y'} | a message is not valid JSON",
                "[1] | message: an object is needed",
                "{} | message.type is missing",
                "{'type':7} | message.type must be a text of at most 32 characters",
                "{'type':'HALLO'} | unknown message type \"HALLO\"",
                "{'type':'DRAIN'} | DRAIN.reason is missing",
                "{'type':'DRAIN','reason':null} | DRAIN.reason must be a text of at most 256 characters",
                "{'type':'DRAIN','reason':'x','more':1} | DRAIN: unknown field \"more\"",
                "{'type':'CLOSE','code':'whim','reason':'x'} | CLOSE.code is not a known word",
                "{'type':'CLOSE','code':'NORMAL','reason':'x'} | CLOSE.code is not a known word",
                "{'type':'CLOSE_STREAM','stream':65536,'reason':''} | CLOSE_STREAM.stream must be a whole number from 0 to 65535",
                "{'type':'CLOSE_STREAM','stream':1.0,'reason':''} | CLOSE_STREAM.stream must be a whole number from 0 to 65535",
                "{'type':'CLOSE_STREAM','stream':'1','reason':''} | CLOSE_STREAM.stream must be a whole number from 0 to 65535",
                "{'type':'CLOSE_STREAM','stream':99999999999999999999,'reason':''} | CLOSE_STREAM.stream must be a whole number from 0 to 65535",
                "{'type':'OPEN_STREAM','stream':1,'service':'../x','queue_pair':1,'private_data':{}} | OPEN_STREAM.service must be the name of a service",
                "{'type':'REFUSE','attempt':'12','code':'limit','reason':''} | REFUSE.attempt must be 16 hexadecimal digits",
                "{'type':'CONNECT','attempt':'0000000000000001','resume':false,'offer':[]} | CONNECT.offer: an object is needed",
            })
    void namesWhatIsWrongInOneLine(String text, String expected) {
        byte[] body = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> ControlCodec.decode(body))
                .isInstanceOf(ControlProtocolException.class)
                .hasMessage(expected);
    }

    @Test
    void namesTheFieldInsideAList() {
        String broken = text(Messages.ALL.get(1)).replace("\"udp_port\":4796", "\"udp_port\":0");

        assertThatThrownBy(() -> ControlCodec.decode(broken.getBytes(StandardCharsets.UTF_8)))
                .hasMessage("CONNECT.offer.planes[1].udp_port must be a whole number from 1 to 65535");
    }

    /** A peer's text must never reach a name server: it would block the control thread for as long as the peer likes. */
    @Test
    void takesAnAddressOnlyIfItIsALiteral() {
        for (String address : List.of("abcd", "12", "1.2.3", "fe80::1%lo", ":::", "1.2.3.256", "a.b")) {
            String broken = text(Messages.ALL.get(1)).replace("127.0.0.1", address);

            assertThatThrownBy(() -> ControlCodec.decode(broken.getBytes(StandardCharsets.UTF_8)))
                    .as(address)
                    .hasMessage("CONNECT.offer.planes[0].address must be an IPv4 or IPv6 address");
        }
    }

    @Test
    void understandsTheHelloOfAnotherVersionWellEnoughToNameIt() throws Exception {
        String newer = "{\"type\":\"HELLO\",\"version\":2,\"profile\":\"MOP/2\",\"novelty\":{}}";

        assertThat(ControlCodec.decode(newer.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new ControlMessage.Hello(2, "MOP/2", List.of(), 0, ""));
    }

    @Test
    void takesControlCharactersOutOfTextThatWillBeShown() throws Exception {
        // MOP-CTL-25
        String hostile = "{\"type\":\"DRAIN\",\"reason\":\"a\\n\\u001b[31mb\\u202ec\"}";

        assertThat(ControlCodec.decode(hostile.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new ControlMessage.Drain("a??[31mb?c"));
    }

    @Test
    void refusesWhatIsNestedTooDeep() {
        // MOP-CTL-1
        String deep = "{\"type\":\"DRAIN\",\"reason\":" + "[".repeat(5000) + "]".repeat(5000) + "}";

        assertThatThrownBy(() -> ControlCodec.decode(deep.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ControlProtocolException.class);
    }

    /** Whatever the bytes, the answer is a message or one clear line. */
    @Property(tries = 3000)
    void answersHostileBodiesWithOneLine(@ForAll long seed, @ForAll @IntRange(min = 0, max = 2) int kind) {
        // MOP-CTL-1, MOP-CTL-2, MOP-CTL-3
        byte[] body = hostileBody(new Random(seed), kind);

        Throwable thrown = catchThrowable(() -> ControlCodec.decode(body));

        if (thrown != null) {
            assertThat(thrown).isInstanceOf(ControlProtocolException.class);
            assertThat(thrown.getMessage()).doesNotContain("\n").hasSizeLessThan(600);
        }
    }

    /** Random bytes, a valid message with bytes changed, or one cut short. */
    private static byte[] hostileBody(Random random, int kind) {
        byte[] valid = body(Messages.ALL.get(random.nextInt(Messages.ALL.size())));
        if (kind == 0) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            return noise;
        }
        if (kind == 1) {
            return Arrays.copyOf(valid, random.nextInt(valid.length));
        }
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            valid[random.nextInt(valid.length)] = (byte) MUTATIONS.charAt(random.nextInt(MUTATIONS.length()));
        }
        return valid;
    }

    @Property
    void cutsTheSameMessagesWhateverThePieces(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        ByteBuffer all = ByteBuffer.allocate(1 << 16);
        Messages.ALL.forEach(message -> all.put(ControlCodec.encode(message)));
        all.flip();
        FrameAssembler assembler = new FrameAssembler();
        List<ControlMessage> received = new ArrayList<>();

        while (all.hasRemaining()) {
            ByteBuffer piece = all.slice(all.position(), Math.min(all.remaining(), 1 + random.nextInt(300)));
            all.position(all.position() + piece.remaining());
            while (piece.hasRemaining()) {
                byte @Nullable [] body = assembler.take(piece);
                if (body != null) {
                    received.add(ControlCodec.decode(body));
                }
            }
        }

        assertThat(received).isEqualTo(Messages.ALL);
    }

    @Test
    void recognisesThatAWebBrowserIsTalking() {
        ByteBuffer http = ByteBuffer.wrap("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThatThrownBy(() -> new FrameAssembler().take(http))
                .hasMessage("not a MetaRoCE control channel: a message of 1195725856 bytes (2 to 65536)");
    }

    @Test
    void refusesALengthBeyondTheBoundWhicheverSignItHas() {
        // MOP-CTL-4
        for (int length : new int[] {0, 1, ControlCodec.BODY_BYTES_MAX + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
            ByteBuffer bytes = ByteBuffer.allocate(8).putInt(length).putInt(0).flip();

            assertThatThrownBy(() -> new FrameAssembler().take(bytes)).isInstanceOf(ControlProtocolException.class);
        }
    }

    @Test
    void refusesToWriteMoreThanABodyHolds() {
        var data = Messages.data().put("long", "x".repeat(ControlCodec.BODY_BYTES_MAX));

        assertThatThrownBy(() -> ControlCodec.encode(new ControlMessage.OpenStream(0, "perf", 1, data)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 65536");
    }

    private static byte[] body(ControlMessage message) {
        byte[] frame = ControlCodec.encode(message);
        return Arrays.copyOfRange(frame, 4, frame.length);
    }

    private static String text(ControlMessage message) {
        return new String(body(message), StandardCharsets.UTF_8);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.metaroce.control.config.AddressLiteral;
import io.metaroce.control.connect.ControlMessage.Accept;
import io.metaroce.control.connect.ControlMessage.AcceptStream;
import io.metaroce.control.connect.ControlMessage.Close;
import io.metaroce.control.connect.ControlMessage.CloseStream;
import io.metaroce.control.connect.ControlMessage.Connect;
import io.metaroce.control.connect.ControlMessage.Drain;
import io.metaroce.control.connect.ControlMessage.Hello;
import io.metaroce.control.connect.ControlMessage.OpenStream;
import io.metaroce.control.connect.ControlMessage.PlaneStatus;
import io.metaroce.control.connect.ControlMessage.Refuse;
import io.metaroce.control.connect.ControlMessage.RefuseStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Messages to bytes and back: a four-byte big-endian length, then that many bytes of UTF-8 JSON, an object with the field
 * {@code type}. Strict: an unknown type or field, a missing field, a wrong type or range is one clear error. Stateless.
 */
public final class ControlCodec {
    /** Longest body of a message. */
    public static final int BODY_BYTES_MAX = 64 << 10;
    /** Bytes of the length in front of every body. */
    static final int PREFIX_BYTES = 4;
    /** Longest private data of a stream, as JSON text. */
    public static final int PRIVATE_DATA_BYTES_MAX = 32 << 10;

    static final int TEXT_LENGTH_MAX = 256;
    private static final int DEPTH_MAX = 16;
    private static final int STREAM_ID_MAX = 65535;
    private static final int QUEUE_PAIR_MAX = (1 << 24) - 1;
    private static final long U32_MAX = 0xffff_ffffL;

    /** MOP-CTL-14. */
    static final Pattern SERVICE = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_./-]{1,32}");
    private static final int ADDRESS_LENGTH_MAX = 45;
    private static final Pattern CHECK = Pattern.compile(Offer.CRC32C);
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .maxStringLength(BODY_BYTES_MAX)
                            .maxNumberLength(64)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private ControlCodec() {}

    /** The message as it goes over the channel, length in front. */
    public static byte[] encode(ControlMessage message) {
        byte[] body = write(message).toString().getBytes(StandardCharsets.UTF_8);
        if (body.length > BODY_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a control message of " + body.length + " bytes; at most " + BODY_BYTES_MAX);
        }
        byte[] frame = new byte[PREFIX_BYTES + body.length];
        for (int i = 0; i < PREFIX_BYTES; i++) {
            frame[i] = (byte) (body.length >>> (24 - 8 * i));
        }
        System.arraycopy(body, 0, frame, PREFIX_BYTES, body.length);
        return frame;
    }

    /** A message from its body, without the length. */
    public static ControlMessage decode(byte[] body) throws ControlProtocolException {
        JsonNode tree;
        try {
            tree = MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            throw new ControlProtocolException("a message is not valid JSON");
        } catch (IOException e) {
            throw new ControlProtocolException("a message is not valid UTF-8");
        }
        // MOP-CTL-2: all members of the type, and no others.
        FieldReader envelope = new FieldReader("message", tree);
        String type = envelope.text("type", 32);
        FieldReader fields = new FieldReader(type, tree);
        fields.any("type");
        ControlMessage message = read(type, fields);
        if (!(message instanceof Hello hello) || hello.version() == ControlMessage.VERSION) {
            fields.end();
        }
        return message;
    }

    private static ControlMessage read(String type, FieldReader in) throws ControlProtocolException {
        return switch (type) {
            case "HELLO" -> readHello(in);
            case "CONNECT" -> new Connect(in.hex64("attempt"), in.flag("resume"), readOffer(in.object("offer")));
            case "ACCEPT" ->
                new Accept(in.hex64("attempt"), readOffer(in.object("offer")), readLimits(in.object("limits")));
            case "REFUSE" -> new Refuse(in.hex64("attempt"), in.word("code", RefuseCode.class), reason(in));
            case "OPEN_STREAM" ->
                new OpenStream(
                        stream(in),
                        in.matching("service", SERVICE, "the name of a service"),
                        queuePair(in),
                        in.json("private_data"));
            case "ACCEPT_STREAM" -> new AcceptStream(stream(in), queuePair(in), in.json("private_data"));
            case "REFUSE_STREAM" -> new RefuseStream(stream(in), in.word("code", RefuseCode.class), reason(in));
            case "CLOSE_STREAM" -> new CloseStream(stream(in), reason(in));
            case "PLANE_STATUS" -> new PlaneStatus(in.number("sequence", 0, U32_MAX), in.integer("usable", 0, 255));
            case "DRAIN" -> new Drain(reason(in));
            case "CLOSE" -> new Close(in.word("code", CloseCode.class), reason(in));
            default -> throw new ControlProtocolException("unknown message type \"" + type + "\"");
        };
    }

    /** Of another version only version and profile are understood, so that the mismatch can be named. */
    private static Hello readHello(FieldReader in) throws ControlProtocolException {
        int version = in.integer("version", 1, 65535);
        String profile = in.matching("profile", WORD, "the name of a profile");
        if (version != ControlMessage.VERSION) {
            return new Hello(version, profile, List.of(), 0, "");
        }
        return new Hello(
                version, profile, in.words("capabilities", WORD), in.hex64("incarnation"), in.text("node", 64));
    }

    private static Offer readOffer(FieldReader in) throws ControlProtocolException {
        Offer offer = new Offer(
                in.number("connection_id", 1, U32_MAX),
                in.objects("planes", 1, 8, ControlCodec::readPlane),
                readLimits(in.object("limits")),
                in.integer("incast_degree", 0, 65535),
                in.words("operations", WORD),
                in.matching("check", CHECK, Offer.CRC32C));
        in.end();
        return offer;
    }

    private static PlaneOffer readPlane(FieldReader in) throws ControlProtocolException {
        return new PlaneOffer(
                address(in),
                in.integer("udp_port", 1, 65535),
                in.integer("payload_bytes_max", 256, 65535),
                in.number("receive_buffer_bytes", 1, 1L << 40),
                in.integer("burst_packets", 1, 256));
    }

    /** Checked here to be a literal, so that nothing later ever asks a name server for what a peer wrote. */
    private static String address(FieldReader in) throws ControlProtocolException {
        String address = in.text("address", ADDRESS_LENGTH_MAX);
        if (!AddressLiteral.isLiteral(address) || address.indexOf('%') >= 0) {
            throw in.problem("address", "must be an IPv4 or IPv6 address");
        }
        return address;
    }

    private static Limits readLimits(FieldReader in) throws ControlProtocolException {
        Limits limits = new Limits(
                in.powerOfTwo("payload_bytes_max", 256, 8192),
                in.powerOfTwo("csn_window_packets", 1024, 16384),
                in.powerOfTwo("message_window", 2, 4096),
                in.integer("streams_max", 1, 65535),
                in.integer("paths", 1, 255));
        in.end();
        return limits;
    }

    private static int stream(FieldReader in) throws ControlProtocolException {
        return in.integer("stream", 0, STREAM_ID_MAX);
    }

    private static int queuePair(FieldReader in) throws ControlProtocolException {
        return in.integer("queue_pair", 0, QUEUE_PAIR_MAX);
    }

    private static String reason(FieldReader in) throws ControlProtocolException {
        return in.text("reason", TEXT_LENGTH_MAX);
    }

    private static ObjectNode write(ControlMessage message) {
        if (message instanceof Hello hello) {
            ObjectNode out = typed("HELLO").put("version", hello.version()).put("profile", hello.profile());
            hello.capabilities().forEach(out.putArray("capabilities")::add);
            return out.put("incarnation", hex(hello.incarnation())).put("node", hello.node());
        } else if (message instanceof Connect connect) {
            ObjectNode out = typed("CONNECT").put("attempt", hex(connect.attempt()));
            out.put("resume", connect.resume()).set("offer", offer(connect.offer()));
            return out;
        } else if (message instanceof Accept accept) {
            ObjectNode out = typed("ACCEPT").put("attempt", hex(accept.attempt()));
            out.set("offer", offer(accept.offer()));
            out.set("limits", limits(accept.limits()));
            return out;
        } else if (message instanceof Refuse refuse) {
            ObjectNode out = typed("REFUSE").put("attempt", hex(refuse.attempt()));
            return out.put("code", word(refuse.code())).put("reason", cut(refuse.reason()));
        } else {
            return writeInside(message);
        }
    }

    private static ObjectNode writeInside(ControlMessage message) {
        if (message instanceof OpenStream open) {
            ObjectNode out = typed("OPEN_STREAM").put("stream", open.stream()).put("service", open.service());
            out.put("queue_pair", open.queuePair()).set("private_data", open.privateData());
            return out;
        } else if (message instanceof AcceptStream accept) {
            ObjectNode out = typed("ACCEPT_STREAM").put("stream", accept.stream());
            out.put("queue_pair", accept.queuePair()).set("private_data", accept.privateData());
            return out;
        } else if (message instanceof RefuseStream refuse) {
            ObjectNode out = typed("REFUSE_STREAM").put("stream", refuse.stream());
            return out.put("code", word(refuse.code())).put("reason", cut(refuse.reason()));
        } else if (message instanceof CloseStream close) {
            return typed("CLOSE_STREAM").put("stream", close.stream()).put("reason", cut(close.reason()));
        } else if (message instanceof PlaneStatus status) {
            return typed("PLANE_STATUS").put("sequence", status.sequence()).put("usable", status.usable());
        } else if (message instanceof Drain drain) {
            return typed("DRAIN").put("reason", cut(drain.reason()));
        } else if (message instanceof Close close) {
            return typed("CLOSE").put("code", word(close.code())).put("reason", cut(close.reason()));
        }
        throw new IllegalStateException("no encoding of " + message.getClass());
    }

    private static ObjectNode offer(Offer offer) {
        ObjectNode out = JSON.objectNode().put("connection_id", offer.connectionId());
        var planes = out.putArray("planes");
        for (PlaneOffer plane : offer.planes()) {
            planes.addObject()
                    .put("address", plane.address())
                    .put("udp_port", plane.udpPort())
                    .put("payload_bytes_max", plane.payloadBytesMax())
                    .put("receive_buffer_bytes", plane.receiveBufferBytes())
                    .put("burst_packets", plane.burstPackets());
        }
        out.set("limits", limits(offer.limits()));
        out.put("incast_degree", offer.incastDegree());
        offer.operations().forEach(out.putArray("operations")::add);
        return out.put("check", offer.check());
    }

    private static ObjectNode limits(Limits limits) {
        return JSON.objectNode()
                .put("payload_bytes_max", limits.payloadBytesMax())
                .put("csn_window_packets", limits.csnWindowPackets())
                .put("message_window", limits.messageWindow())
                .put("streams_max", limits.streamsMax())
                .put("paths", limits.paths());
    }

    private static ObjectNode typed(String type) {
        return JSON.objectNode().put("type", type);
    }

    private static String hex(long value) {
        return HexFormat.of().toHexDigits(value);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static String cut(String text) {
        return text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a line can say, in the order in which it is said: keys of the text, of the JSON and of filters. */
enum Field {
    FRAME("frame", "number of the packet in the capture"),
    TIME_NS("timeNs", "nanoseconds since the first packet"),
    CAPTURED_AT_NS("capturedAtNs", "nanoseconds since 1970; JSON only"),
    INTERFACE("interface", "name or number of the capturing interface"),
    DIRECTION("direction", "in or out"),
    SOURCE("src", "source address and port"),
    DESTINATION("dst", "destination address and port"),
    VLAN("vlan", "VLAN ids, outermost first"),
    ECN("ecn", "NotECT, ECT0, ECT1 or CE"),
    TYPE("type", "packet type, or the operation of DATA"),

    PATH("path", "path id"),
    EPOCH("epoch", "epoch of the path"),
    CONNECTION("connection", "destination connection id"),
    SEQUENCE("sequence", "path sequence"),
    CSN("csn", "connection sequence"),
    TIMESTAMP("timestamp", "transmit timestamp, unit 16 ns"),
    STREAM("stream", "stream id"),
    MSN("msn", "message sequence"),
    PAYLOAD("payload", "bytes of payload"),
    TRANSMIT("transmit", "transmit count"),
    BACKLOG("backlog", "bytes waiting at the sender, about"),
    ADDRESS("address", "remote address"),
    RKEY("rkey", "key of the remote region"),
    RECEIVE("receive", "number of the posted receive"),
    OFFSET("offset", "offset in the message"),
    LENGTH("length", "length of the message"),
    IMMEDIATE("immediate", "immediate data, or the key to invalidate"),
    SYNDROME("syndrome", "why a message was refused"),

    NEXT("next", "next expected path sequence"),
    SACK("sack", "path sequences received beyond it"),
    ECHO("echo", "echoed timestamp"),
    DELAY_NS("delayNs", "acknowledgement delay in nanoseconds"),
    CE_PACKETS("cePackets", "marked packets, cumulative"),
    RECEIVED("received", "received packets, cumulative"),
    DUPLICATES("duplicates", "duplicate packets, cumulative"),
    LEVEL("level", "receive queue level, 0 to 255"),
    HINT("hint", "fair share in Mbit/s"),
    NEXT_CSN("nextCsn", "next expected connection sequence"),
    CREDIT("credit", "stream:posted-receive limit"),
    ERRORS("errors", "errors issued, cumulative"),

    PADDING("padding", "bytes of padding"),
    KNOWN_LIMIT("knownLimit", "posted-receive limit the asker knows"),
    PLANES("planes", "mask of usable planes"),
    FLAGS("flags", "flags that are set"),

    CRC("crc", "ok, wrong or unchecked"),
    PROBLEM("problem", "what is wrong with the packet"),
    COMMENT("comment", "the capture's comment on the packet");

    private static final List<Field> ROWS = List.of(values());

    private final String key;
    private final String meaning;

    Field(String key, String meaning) {
        this.key = key;
        this.meaning = meaning;
    }

    String key() {
        return key;
    }

    String meaning() {
        return meaning;
    }

    static @Nullable Field of(String key) {
        return ROWS.stream().filter(field -> field.key.equals(key)).findFirst().orElse(null);
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(Field::key).toList();
    }
}

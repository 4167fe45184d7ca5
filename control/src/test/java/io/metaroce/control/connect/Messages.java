// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.connect;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** One example of every message. */
final class Messages {
    static final Limits LIMITS = new Limits(4096, 16384, 1024, 16, 8);
    static final Offer OFFER = new Offer(
            0xdeadbeefL,
            List.of(new PlaneOffer("127.0.0.1", 4795, 8192, 212_992, 7), new PlaneOffer("fe80::1", 4796, 1024, 1, 1)),
            LIMITS,
            3,
            List.of("WRITE", "SEND"),
            Offer.CRC32C);

    static final List<ControlMessage> ALL = List.of(
            new ControlMessage.Hello(1, "MOP/1", List.of("plane-status"), 0x8000_0000_0000_0001L, "host-a"),
            new ControlMessage.Connect(7, false, OFFER),
            new ControlMessage.Accept(7, OFFER, LIMITS),
            new ControlMessage.Refuse(-1, RefuseCode.LIMIT, "all 4096 connections are taken"),
            new ControlMessage.OpenStream(2, "perf", 17, data()),
            new ControlMessage.AcceptStream(2, 18, JsonNodeFactory.instance.nullNode()),
            new ControlMessage.RefuseStream(2, RefuseCode.UNKNOWN_SERVICE, "no service \"perf\""),
            new ControlMessage.CloseStream(65535, "done"),
            new ControlMessage.PlaneStatus(0xffff_ffffL, 3),
            new ControlMessage.Drain("maintenance"),
            new ControlMessage.Close(CloseCode.NORMAL, "done"));

    private Messages() {}

    static ObjectNode data() {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.put("size", 65536).putArray("list").add("a\u0000b").add(true);
        return data;
    }
}

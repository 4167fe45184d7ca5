// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import io.metaroce.harness.compliance.Case.Condition;
import io.metaroce.wire.Layout;
import io.metaroce.wire.LayoutField;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values of a script: numbers, names of the connection, what was saved; each with one sum or difference. */
final class Expressions {
    private static final Pattern SUM = Pattern.compile("(\\$?[A-Za-z0-9._]+)(?:([+-])(\\d+|0x[0-9a-f]+))?");
    private final Map<String, Long> names = new HashMap<>();

    void put(String name, long value) {
        names.put(name, value);
    }

    /** The names of all fields that conditions on a packet may use. */
    static Set<String> fieldsOf(String packet) {
        Set<String> fields = new LinkedHashSet<>();
        Layout layout = Packet.layout(packet);
        if (layout != null) {
            boolean isOperation = Packet.opcode(layout) > 0;
            for (LayoutField field : (isOperation ? Layout.DATA : layout).fields()) {
                fields.add(Packet.key(field));
            }
            if (isOperation) {
                for (LayoutField field : layout.fields()) {
                    fields.add(field.isReserved() ? "op-reserved" : Packet.key(field));
                }
            }
        }
        return fields;
    }

    long value(String text) {
        Matcher sum = SUM.matcher(text);
        if (!sum.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no value");
        }
        long value = single(sum.group(1));
        if (sum.group(2) != null) {
            long other = Long.decode(sum.group(3));
            value += sum.group(2).equals("+") ? other : -other;
        }
        return value;
    }

    private long single(String text) {
        if (Character.isDigit(text.charAt(0))) {
            return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
        }
        Long value = names.get(text.startsWith("$") ? text.substring(1) : text);
        if (value == null) {
            throw new IllegalArgumentException("'" + text + "' is not known here");
        }
        return value;
    }

    /** Flags by name, joined by {@code |}, or a number. */
    long flags(String packet, String text) {
        if (Character.isDigit(text.charAt(0))) {
            return Long.decode(text);
        }
        Layout layout = Packet.layout(packet);
        List<String> known = layout == null || Packet.opcode(layout) > 0 ? Layout.DATA.flags() : layout.flags();
        long flags = 0;
        for (String flag : text.split("\\|", -1)) {
            int bit = known.indexOf(flag);
            if (bit < 0) {
                throw new IllegalArgumentException(packet + " has no flag " + flag);
            }
            flags |= 1L << bit;
        }
        return flags;
    }

    /** Why a packet does not meet a condition; null if it does. */
    @Nullable
    String mismatch(Packet packet, Condition condition) {
        String name = condition.name();
        return switch (name) {
            case "within", "for" -> null;
            case "has", "no" -> flagMismatch(packet, condition);
            case "acks", "lacks" -> ackMismatch(packet, condition);
            case "fill" -> fillMismatch(packet, (byte) value(condition.value()));
            case "payload" -> compare("payload", packet.body.length, condition);
            default ->
                packet.fields.containsKey(name)
                        ? compare(name, packet.get(name), condition)
                        : packet.name + " has no " + name;
        };
    }

    private @Nullable String flagMismatch(Packet packet, Condition condition) {
        long wanted = flags(packet.name, condition.value());
        long set = packet.get("flags") & wanted;
        boolean holds = condition.name().equals("has") ? set == wanted : set == 0;
        return holds ? null : "flags=" + packet.get("flags") + ", " + condition.name() + " " + condition.value();
    }

    private @Nullable String ackMismatch(Packet packet, Condition condition) {
        boolean isWanted = condition.name().equals("acks");
        for (String sequence : condition.value().split(",", -1)) {
            if (packet.acknowledges((int) value(sequence)) != isWanted) {
                return "sequence " + sequence + (isWanted ? " is not" : " is") + " acknowledged";
            }
        }
        return null;
    }

    private static @Nullable String fillMismatch(Packet packet, byte wanted) {
        for (int i = 0; i < packet.body.length; i++) {
            if (packet.body[i] != wanted) {
                return "byte " + i + " is " + packet.body[i] + ", not " + wanted;
            }
        }
        return null;
    }

    private @Nullable String compare(String name, long seen, Condition condition) {
        long wanted = name.equals("flags") ? Long.decode(condition.value()) : value(condition.value());
        if (!name.equals("remote-address")) {
            wanted &= 0xffff_ffffL;
        }
        boolean holds = switch (condition.operator()) {
            case "!=" -> seen != wanted;
            case ">=" -> seen >= wanted;
            case "<=" -> seen <= wanted;
            default -> seen == wanted;
        };
        return holds ? null : name + "=" + seen + ", expected " + condition.operator() + wanted;
    }
}

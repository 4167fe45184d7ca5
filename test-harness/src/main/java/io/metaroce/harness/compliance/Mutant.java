// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.compliance;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A target that breaks one rule on the wire: ours, behind a port that changes what it sends or what it takes. */
record Mutant(String caughtBy, String rule, boolean isOut, String packet, String field, String change, long value) {
    /** Every mutant of the suite. */
    static List<Mutant> all() {
        return CaseReader.resource("mutants.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(Mutant::read)
                .toList();
    }

    static Mutant read(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 7) {
            throw new IllegalArgumentException("mutants.txt: '" + line + "' has not seven words");
        }
        return new Mutant(
                words[0], words[1], words[2].equals("out"), words[3], words[4], words[5], Long.parseLong(words[6]));
    }

    /** What passes; null if nothing does. */
    byte @Nullable [] apply(boolean isFromTarget, byte[] bytes) {
        if (isFromTarget != isOut) {
            return bytes;
        }
        if (field.equals("reseal")) {
            byte[] sealed = bytes.clone();
            Packet.seal(sealed);
            return sealed;
        }
        Packet read;
        try {
            read = Packet.decode(bytes);
        } catch (IllegalArgumentException notOurs) {
            return bytes;
        }
        if (!read.name.equals(packet)) {
            return bytes;
        }
        return field.equals("drop") ? null : changed(read);
    }

    private byte[] changed(Packet read) {
        if (field.equals("body")) {
            for (int i = 0; i < read.body.length; i++) {
                read.body[i] = (byte) (change.equals("invert") ? ~read.body[i] : value);
            }
            return read.encode();
        }
        read.fields.put(field, change.equals("+=") ? read.get(field) + value : value);
        if (read.name.equals("ACK") && (read.get("flags") & 1) == 0) {
            read.body = Arrays.copyOf(read.body, 0);
        }
        return read.encode();
    }

    @Override
    public String toString() {
        return (isOut ? "sends " : "takes ") + packet + " with " + field + " " + change + " " + value;
    }
}

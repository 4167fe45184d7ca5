// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.replay;

/** What the passive check can prove from packets alone: the rule that was broken, and in what words. */
enum Judged {
    FRAGMENTABLE("MOP-ENC-5", "DF is not set"),
    NOT_ECN_CAPABLE("MOP-ENC-12", "the ECN codepoint is neither ECT(0) nor CE"),
    SOURCE_PORT("MOP-ENC-17", "the source port is outside of 49152 to 65535"),
    RESERVED("MOP-PKT-2", "reserved bits are set"),
    REFUSED("MOP-PKT-4", "a receiver refuses the packet"),
    CLEAR_FIELD("MOP-PKT-10", "a field is not 0 although its flag is clear"),
    PATH_WINDOW("MOP-SEQ-3", "256 or more behind the lowest path sequence not acknowledged"),
    CONTENT_CHANGED("MOP-SEQ-5", "a connection sequence has another content than before"),
    CONNECTION_WINDOW("MOP-SEQ-6", "beyond the largest connection window"),
    TIMESTAMP("MOP-SEQ-11", "the timestamp is not later than the one before on its path"),
    TRANSMIT_COUNT("MOP-SEQ-13", "the transmit count did not rise"),
    RETRANSMIT_FLAG("MOP-SEQ-14", "a content is sent again without RETRANSMIT"),
    IMPOSSIBLE_ACK("MOP-LOSS-27", "the ACK expects more than was sent"),
    EMPTY_SACK("MOP-RCV-18", "a SACK vector that names nothing"),
    MESSAGE_END("MOP-STR-2", "MESSAGE_END is not where the message ends"),
    NO_CREDIT("MOP-STR-31", "the receive number is not before the announced limit"),
    ENTROPY("MOP-PATH-18", "the source port changed within an epoch");

    private final String rule;
    private final String words;

    Judged(String rule, String words) {
        this.rule = rule;
        this.words = words;
    }

    String rule() {
        return rule;
    }

    String words() {
        return words;
    }
}

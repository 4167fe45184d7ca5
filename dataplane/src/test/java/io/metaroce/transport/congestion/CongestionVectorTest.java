// SPDX-License-Identifier: Apache-2.0
package io.metaroce.transport.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors of the specification's chapter on congestion control: what it is told, and what it comes to. */
class CongestionVectorTest {
    private static final Path VECTORS = Path.of("..", "docs", "spec", "vectors", "congestion.txt");
    private static final Pattern WORD = Pattern.compile("([a-z]+)=([a-z0-9]+)");

    private final List<CongestionControl> paths = new ArrayList<>();
    private final Map<String, InboundFlow> flows = new HashMap<>();
    private ConnectionControl connection = new IndependentPaths(
            (packetBytes, initialBytes, limitBytes) -> new FixedWindow(initialBytes),
            new ConnectionShape(1, 1, 1, 1, 1, 0));
    private InboundShares shares = InboundShares.NONE;
    private Map<String, String> words = Map.of();

    /** A case: the rules it shows, and its lines. */
    record Case(String rules, List<String> lines) {
        @Override
        public String toString() {
            return rules;
        }
    }

    static Stream<Case> cases() throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String line : Files.readAllLines(VECTORS)) {
            if (line.startsWith("rule ")) {
                cases.add(new Case(line.substring(5), new ArrayList<>()));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                cases.get(cases.size() - 1).lines().add(line);
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void comesToWhatTheSpecificationSays(Case one) {
        assertThat(one.lines()).isNotEmpty();
        for (String line : one.lines()) {
            obey(line);
        }
    }

    private void obey(String line) {
        words = new HashMap<>();
        Matcher word = WORD.matcher(line);
        while (word.find()) {
            words.put(word.group(1), word.group(2));
        }
        int blank = line.indexOf(' ');
        switch (line.substring(0, blank)) {
            case "connection" -> connect();
            case "open" -> {
                path().onRoundTrip(number("base"), number("base"));
                path().onService(true);
            }
            case "sample" -> path().onRoundTrip(number("rtt"), number("base"));
            case "ack" ->
                path().onAcknowledged(
                                number("bytes"),
                                (int) number("packets"),
                                (int) number("marked"),
                                number("srtt"),
                                number("at"));
            case "lose" -> path().onLost((int) number("packets"), number("at"));
            case "timeout" -> path().onTimeout(number("at"));
            case "hint" -> connection.onHint(0, (int) number("epoch"), number("rate"), number("at"));
            case "send" -> connection.onSent(0, (int) number("bytes"), number("at"));
            case "window" -> expect(line, path().windowBytes());
            case "total" -> expect(line, connection.windowBytes(number("at")));
            case "hinted" -> expect(line, connection.hintMbps(number("at")));
            case "shares" -> shares = new InboundShares(List.of((int) number("rate")), number("period"), 0);
            case "flow" -> {
                InboundFlow flow = shares.newFlow(0, 0, number("host"));
                flow.baseRoundTrip(number("base"));
                flows.put(text("name"), flow);
            }
            case "data" ->
                flow().onData(
                                (int) number("bytes"),
                                words.containsKey("again"),
                                number("backlog"),
                                number("queue"),
                                number("at"));
            case "share" -> expect(line, flow().shareMbps());
            default -> throw new IllegalArgumentException(line);
        }
    }

    private void connect() {
        AimdCongestion congestion = new AimdCongestion(
                CongestionSettings.simulated(List.of((int) number("rate")), (int) number("degree")),
                InboundShares.NONE);
        int count = (int) number("paths");
        connection = congestion.newConnectionControl(
                new ConnectionShape((int) number("packet"), 1, count, number("initial"), number("limit"), 1));
        paths.clear();
        for (int i = 0; i < count; i++) {
            paths.add(connection.newPath(0));
        }
    }

    private void expect(String line, long actual) {
        assertThat(actual).as("%s", line).isEqualTo(number("is"));
    }

    private CongestionControl path() {
        return paths.get((int) number("path"));
    }

    private InboundFlow flow() {
        InboundFlow flow = flows.get(text("flow"));
        assertThat(flow).isNotNull();
        return java.util.Objects.requireNonNull(flow);
    }

    private String text(String key) {
        String value = words.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key);
        }
        return value;
    }

    private long number(String key) {
        return Long.parseLong(text(key));
    }
}

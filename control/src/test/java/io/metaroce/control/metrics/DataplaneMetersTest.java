// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.ConnectionCounters;
import io.metaroce.counters.LaneCounter;
import io.metaroce.counters.PathCounter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DataplaneMetersTest {
    private static final Pattern SAMPLE = Pattern.compile("([a-z_0-9]+)(\\{.*})? \\S+");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    private final MetricsFixture fixture = new MetricsFixture();

    /** B88: names are an API. A wanted change goes into the golden list, and into the change log. */
    @Test
    void exportsExactlyTheNamesTypesAndLabelsOfTheGoldenList() throws IOException {
        String actual = describe(fixture.scrape(Exposition.TEXT));
        Files.writeString(Path.of("target", "metrics.txt"), actual);

        assertThat(actual).as("the scrape stands in control/target/metrics.txt").isEqualTo(golden());
    }

    /** B89: counters typed as gauges. Base units only, gauges without _total, everything explained. */
    @Test
    void obeysTheRulesOfNames() {
        String scrape = fixture.scrape(Exposition.TEXT);
        Map<String, String> types = types(scrape);

        types.forEach((name, type) -> {
            if (name.startsWith("metaroce_")) {
                assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
                assertThat(name).doesNotContain("_ms", "_ns", "_us", "_nanoseconds", "_kib", "_mb");
                assertThat(scrape).contains("# HELP " + name + " ");
            }
        });
    }

    /** B81: gauges lost their objects. */
    @Test
    void hasNoNaNAfterGarbageCollection() {
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        for (Exposition exposition : Exposition.values()) {
            assertThat(fixture.scrape(exposition)).doesNotContain("NaN");
        }
        assertThat(fixture.meters.size()).isPositive();
        assertThat(fixture.process.size()).isPositive();
    }

    /** B90: the last value while a source fails, neither NaN nor 0. */
    @Test
    void keepsTheLastValueWhileASourceFails() {
        String sample = "metaroce_port_rx_packets_total{device=\"rail0\",port=\"1\"}";
        assertThat(fixture.sample(sample)).isEqualTo(7);

        fixture.port0.isUnreadable = true;

        assertThat(fixture.sample(sample)).isEqualTo(7);
        assertThat(fixture.scrape(Exposition.TEXT)).doesNotContain("NaN");
    }

    /** B93: one unreadable counter blanked everything. */
    @Test
    void exportsTheRestAndCountsTheTroubleWhenAPortCannotBeRead() {
        fixture.scrape(Exposition.TEXT);
        double before = fixture.sample("metaroce_collector_errors_total");
        fixture.port0.isUnreadable = true;
        fixture.port1.value = 9;

        assertThat(fixture.sample("metaroce_port_rx_packets_total{device=\"rail1\",port=\"1\"}"))
                .isEqualTo(9);
        assertThat(fixture.sample("metaroce_collector_errors_total")).isGreaterThan(before);
    }

    /** B92: meters grew with connections. */
    @Test
    void keepsTheNumberOfMetersAndTheirTotalsOverManyConnections() {
        fixture.scrape(Exposition.TEXT);
        long meters = ownMeters();
        int samples = describe(fixture.scrape(Exposition.TEXT)).length();
        ConnectionCounters counters = ConnectionCounters.inProcess(3);
        for (int i = 0; i < 100_000; i++) {
            fixture.totals.add(counters);
            counters.connection().increment(ConnectionCounter.TX_PACKETS.ordinal());
            fixture.totals.retire(counters);
            counters.connection().set(ConnectionCounter.TX_PACKETS.ordinal(), 0);
        }

        assertThat(ownMeters()).isEqualTo(meters);
        assertThat(describe(fixture.scrape(Exposition.TEXT))).hasSize(samples);
        assertThat(fixture.sample("metaroce_tx_packets_total")).isEqualTo(100_000);
    }

    /** Those of the virtual machine come and go with its collections. */
    private long ownMeters() {
        return fixture.registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("metaroce"))
                .count();
    }

    /** B95: of two meters with one name and different labels one vanished. */
    @Test
    void refusesOneNameWithTwoSetsOfLabels() {
        MeterBook book = new MeterBook(new SimpleMeterRegistry(), new AtomicLong());
        book.counter("x", "help", List.of(Tag.of("a", "1")), () -> 0);
        book.counter("x", "help", List.of(Tag.of("a", "2")), () -> 0);

        assertThatThrownBy(() -> book.counter("x", "help", List.of(Tag.of("b", "1")), () -> 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("metric x has labels [a] and [b]");
    }

    @Test
    void addsUpLanesAndKeepsApartWhatIsALanesOwn() {
        fixture.lane0.set(LaneCounter.CONNECTIONS.ordinal(), 2);
        fixture.lane1.set(LaneCounter.CONNECTIONS.ordinal(), 3);
        fixture.lane1.set(LaneCounter.STALLED_NS.ordinal(), 1_500_000_000);
        fixture.lane0.set(LaneCounter.RX_DROPPED_BAD_CHECKSUM.ordinal(), 4);

        assertThat(fixture.sample("metaroce_connections")).isEqualTo(5);
        assertThat(fixture.sample("metaroce_lane_stalled_seconds_total{lane=\"1\"}"))
                .isEqualTo(1.5);
        assertThat(fixture.sample("metaroce_rx_dropped_packets_total{reason=\"bad_checksum\"}"))
                .isEqualTo(4);
    }

    @Test
    void tellsPathsApartByNumberAndCountsTheirStates() {
        ConnectionCounters counters = ConnectionCounters.inProcess(3);
        fixture.totals.add(counters);
        counters.paths().set(PathCounter.SRTT_NS.of(0), 2_000_000);
        counters.paths().set(PathCounter.TX_PACKETS.of(1), 10);
        counters.paths().set(PathCounter.TX_PACKETS.of(2), 5);
        counters.paths().set(PathCounter.STATE.of(2), 4);

        assertThat(fixture.sample("metaroce_path_rtt_seconds{path=\"0\"}")).isEqualTo(0.002);
        assertThat(fixture.sample("metaroce_path_tx_packets_total{path=\"1\"}"))
                .as("paths beyond those told apart count with the last")
                .isEqualTo(15);
        assertThat(fixture.sample("metaroce_paths{state=\"opening\"}")).isEqualTo(2);
        assertThat(fixture.sample("metaroce_paths{state=\"dead\"}")).isEqualTo(1);

        fixture.totals.retire(counters);
        assertThat(fixture.sample("metaroce_path_tx_packets_total{path=\"1\"}")).isEqualTo(15);
        assertThat(fixture.sample("metaroce_paths{state=\"dead\"}")).isZero();
    }

    @Test
    void passesTheCheckOfPromtool() throws Exception {
        Path promtool = Path.of("/usr/bin/promtool");
        assumeTrue(Files.isExecutable(promtool), "promtool is not installed");
        Process process = new ProcessBuilder(promtool.toString(), "check", "metrics")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().write(fixture.scrape(Exposition.TEXT).getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(output.lines().filter(line -> line.startsWith("metaroce_"))).isEmpty();
    }

    @Test
    void endsOpenMetricsAsTheStandardWants() {
        assertThat(fixture.scrape(Exposition.OPENMETRICS))
                .endsWith("# EOF\n")
                .contains("# TYPE metaroce_tx_packets counter");
        assertThat(fixture.scrape(Exposition.TEXT))
                .doesNotContain("# EOF")
                .contains("# TYPE metaroce_tx_packets_total counter");
    }

    private static Map<String, String> types(String scrape) {
        Map<String, String> types = new TreeMap<>();
        scrape.lines().filter(line -> line.startsWith("# TYPE ")).forEach(line -> {
            String[] words = line.split(" ", -1);
            types.put(words[2], words[3]);
        });
        return types;
    }

    /** One line a metric: name, type, labels. */
    private static String describe(String scrape) {
        Map<String, String> types = types(scrape);
        Map<String, TreeSet<String>> labels = new TreeMap<>();
        scrape.lines().filter(line -> line.startsWith("metaroce_")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            TreeSet<String> keys = labels.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
            Matcher label = LABEL.matcher(Objects.requireNonNullElse(sample.group(2), ""));
            while (label.find()) {
                keys.add(label.group(1));
            }
        });
        StringBuilder text = new StringBuilder();
        labels.forEach((name, keys) -> text.append(name)
                .append(' ')
                .append(types.get(name))
                .append(' ')
                .append(keys)
                .append('\n'));
        return text.toString();
    }

    private static String golden() throws IOException {
        try (InputStream in = Objects.requireNonNull(DataplaneMetersTest.class.getResourceAsStream("metrics.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import io.metaroce.counters.ConnectionCounter;
import io.metaroce.counters.LaneCounter;
import io.metaroce.counters.PathCounter;
import io.metaroce.port.PortCounter;
import io.metaroce.wire.ParseResult;
import io.metaroce.wrap.FaultCounter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A counter that nobody writes reads as "this never happened": every row of every table has a writer. */
class CountersInUseTest {
    /** They only read. */
    private static final List<String> READERS = List.of(".control.metrics", ".harness");

    /** Found by name: the lane has one for each verdict of the parser. */
    private static final Set<String> WRITTEN_BY_NAME = Arrays.stream(ParseResult.values())
            .map(verdict -> "RX_DROPPED_" + verdict.name())
            .collect(Collectors.toSet());

    @ParameterizedTest
    @ValueSource(
            classes = {
                ConnectionCounter.class,
                PathCounter.class,
                LaneCounter.class,
                PortCounter.class,
                FaultCounter.class
            })
    void everyRowIsWrittenBySomebody(Class<? extends Enum<?>> table) {
        Set<String> written = Rooms.mainClasses().stream()
                .filter(type ->
                        !type.isEquivalentTo(table) && READERS.stream().noneMatch(type.getPackageName()::contains))
                .map(JavaClass::getFieldAccessesFromSelf)
                .flatMap(Set::stream)
                .filter(access -> access.getTargetOwner().isEquivalentTo(table))
                .map(access -> access.getName())
                .collect(Collectors.toSet());

        List<String> unwritten = Arrays.stream(table.getEnumConstants())
                .map(Enum::name)
                .filter(row -> !written.contains(row) && !WRITTEN_BY_NAME.contains(row))
                .toList();
        assertThat(unwritten).isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.metaroce.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** The check against a naive model in numbers that cannot wrap. */
class MemoryRegionTablePropertyTest {
    private static final BigInteger ADDRESS_SPACE = BigInteger.ONE.shiftLeft(64);
    /** Few, so that random accesses meet registrations. */
    private static final int INDICES = 3;

    private static final int TAGS = 2;
    private static final int DOMAINS = 2;
    /** Where ranges like to be wrong: both ends of the address space, the sign change, and the middle. */
    private static final long[] CORNERS = {0, 4096, Long.MAX_VALUE, Long.MIN_VALUE, -4096, -1};

    private record Region(BigInteger first, BigInteger end, int access, int domain) {}

    record Step(boolean isInstall, boolean isRemove, int key, long address, long length, int access, int domain) {}

    @Property(tries = 3_000)
    void theVerdictIsThatOfAModelThatCannotWrap(@ForAll("histories") Step[] history) {
        // MOP-SEC-4, MOP-STR-5
        MemoryRegionTable table = new MemoryRegionTable();
        Map<Integer, Region> model = new HashMap<>();
        for (Step step : history) {
            if (step.isInstall) {
                boolean isInstalled = table.install(step.key, step.address, step.length, step.access, step.domain);
                assertThat(isInstalled).isEqualTo(install(model, step));
            } else if (step.isRemove) {
                assertThat(table.remove(step.key)).isEqualTo(model.remove(step.key) != null);
            } else {
                assertThat(table.check(step.key, step.domain, step.address, step.length, step.access))
                        .as("%s", step)
                        .isEqualTo(verdict(model.get(step.key), step));
            }
            assertThat(table.count()).isEqualTo(model.size());
        }
    }

    private static boolean install(Map<Integer, Region> model, Step step) {
        BigInteger first = unsigned(step.address);
        BigInteger end = first.add(BigInteger.valueOf(step.length));
        boolean isFree = model.keySet().stream().noneMatch(key -> MemoryKey.index(key) == MemoryKey.index(step.key));
        boolean isKey = step.key >>> MemoryKey.INDEX_BITS != 0;
        if (!isFree || !isKey || step.length < 1 || end.compareTo(ADDRESS_SPACE) > 0) {
            return false;
        }
        model.put(step.key, new Region(first, end, step.access, step.domain));
        return true;
    }

    private static MemoryCheck verdict(@Nullable Region region, Step step) {
        if (step.length == 0) {
            return MemoryCheck.OK;
        }
        if (region == null) {
            return MemoryCheck.UNKNOWN_KEY;
        }
        if (region.domain != step.domain) {
            return MemoryCheck.DOMAIN;
        }
        if ((region.access & step.access) != step.access) {
            return MemoryCheck.PERMISSION;
        }
        BigInteger first = unsigned(step.address);
        BigInteger end = first.add(unsigned(step.length));
        boolean isInside = first.compareTo(region.first) >= 0 && end.compareTo(region.end) <= 0;
        return isInside ? MemoryCheck.OK : MemoryCheck.RANGE;
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    @Provide
    Arbitrary<Step[]> histories() {
        Arbitrary<Integer> keys = Combinators.combine(
                        Arbitraries.integers().between(0, TAGS),
                        Arbitraries.integers().between(0, INDICES - 1))
                .as((tag, index) -> tag << MemoryKey.INDEX_BITS | index);
        Arbitrary<Long> nearCorners = Combinators.combine(
                        Arbitraries.integers().between(0, CORNERS.length - 1),
                        Arbitraries.longs().between(-40, 40))
                .as((corner, distance) -> CORNERS[corner] + distance);
        Arbitrary<Long> addresses = Arbitraries.oneOf(nearCorners, nearCorners, Arbitraries.longs());
        Arbitrary<Long> lengths =
                Arbitraries.oneOf(Arbitraries.longs().between(0, 40), nearCorners, Arbitraries.longs());
        Arbitrary<Integer> access = Arbitraries.integers().between(0, AccessFlags.ALL);
        Arbitrary<Integer> domains = Arbitraries.integers().between(1, DOMAINS);
        Arbitrary<Step> steps = Combinators.combine(
                        Arbitraries.integers().between(0, 9), keys, addresses, lengths, access, domains)
                .as((dice, key, address, length, flags, domain) ->
                        new Step(dice < 3, dice == 3, key, address, length, flags, domain));
        return steps.array(Step[].class).ofMinSize(1).ofMaxSize(60);
    }
}

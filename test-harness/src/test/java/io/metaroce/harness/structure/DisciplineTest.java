// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.EvaluationResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What may not happen in a room, and a planted fault for every rule, so that the rule is known to see. */
class DisciplineTest {
    private static final int PARAMETERS_MAX = 6;

    /** Assembled before a lane starts, or read by people after it: may allocate. */
    private static final String[] OFF_LANE = {"Settings", "Provider", "Exception", "Runner", "Layout", "Factory", "Spec"
    };

    private static JavaClasses main;

    @BeforeAll
    static void importClasses() {
        main = Rooms.mainClasses();
    }

    @Test
    void pureRoomsAreValueMachines() {
        classes()
                .that()
                .resideInAnyPackage(Rooms.patterns(Rooms.PURE))
                .should(Disciplines.beAValueMachine())
                .because("the same code runs in the daemon, the simulator, the replay and the compliance suite")
                .check(main);
    }

    @Test
    void wireAndTransportShareNothingBetweenThreads() {
        classes()
                .that()
                .resideInAnyPackage(Rooms.patterns(List.of("wire", "link", "transport")))
                .should(Disciplines.haveNoSharedState())
                .because("a lane owns everything it touches")
                .check(main);
    }

    @Test
    void nothingOnALaneAllocatesByHabit() {
        classes()
                .that()
                .resideInAnyPackage(Rooms.patterns(Rooms.ON_A_LANE))
                .and(Disciplines.runOnALane(OFF_LANE))
                .should(Disciplines.allocateNothingByHabit())
                .because("a garbage collection is a stall of every connection of the lane")
                .check(main);
    }

    @Test
    void theDataplaneTakesFewParameters() {
        classes()
                .that()
                .resideInAnyPackage(Rooms.patterns(Rooms.ON_A_LANE))
                .should(Disciplines.takeFewParameters(PARAMETERS_MAX))
                .because("a long list of numbers is called in the wrong order one day; settings travel as records")
                .check(main);
    }

    @Test
    void theSimulatorIsRepeatable() {
        classes()
                .that()
                .resideInAnyPackage("io.metaroce.harness.sim..", "io.metaroce.harness.fabric..")
                .should(Disciplines.beRepeatable())
                .andShould(Disciplines.beAValueMachine())
                .allowEmptyShould(true)
                .because("a seed must replay the run it names")
                .check(main);
    }

    /** B79: whoever sets the clock of a host must not end its connections. */
    @Test
    void onlyTimestampsForPeopleAreTakenFromTheWallClock() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.metaroce.control.daemon..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .because("time that is measured is monotonic; the daemon's two timestamps are for its metrics")
                .check(main);
    }

    @Test
    void testsDoNotSleep() {
        classes()
                .that()
                .resideOutsideOfPackage("io.metaroce.harness.structure..")
                .should(Disciplines.notSleepUnlessTaggedReal())
                .allowEmptyShould(true)
                .check(Rooms.testClasses());
    }

    @Test
    void onlyTheEntryPointEndsTheProcessOrHoldsItsStreams() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.metaroce.control.cli.Main")
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .because("a command returns its exit code and prints through its command line")
                .check(main);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plantedFaults")
    void aPlantedFaultIsSeen(String fault, Class<?> planted, ArchCondition<JavaClass> rule) {
        JavaClasses only = new ClassFileImporter().importClasses(planted);

        EvaluationResult result = classes().should(rule).evaluate(only);

        assertThat(result.hasViolation()).as(fault).isTrue();
    }

    @Test
    void aCleanClassPassesEveryRule() {
        JavaClasses only = new ClassFileImporter().importClasses(Clean.class);

        for (ArchCondition<JavaClass> rule : List.of(
                Disciplines.beAValueMachine(),
                Disciplines.haveNoSharedState(),
                Disciplines.allocateNothingByHabit(),
                Disciplines.takeFewParameters(PARAMETERS_MAX),
                Disciplines.beRepeatable(),
                Disciplines.notSleepUnlessTaggedReal())) {
            classes().should(rule).check(only);
        }
    }

    static Stream<Arguments> plantedFaults() {
        return Stream.of(
                Arguments.of("clock", ReadsTheClock.class, Disciplines.beAValueMachine()),
                Arguments.of("random", RollsDice.class, Disciplines.beAValueMachine()),
                Arguments.of("volatile", IsVolatile.class, Disciplines.haveNoSharedState()),
                Arguments.of("synchronized", IsSynchronized.class, Disciplines.haveNoSharedState()),
                Arguments.of("boxing", Boxes.class, Disciplines.allocateNothingByHabit()),
                Arguments.of("optional", Wraps.class, Disciplines.allocateNothingByHabit()),
                Arguments.of("format", Formats.class, Disciplines.allocateNothingByHabit()),
                Arguments.of("collection", Collects.class, Disciplines.allocateNothingByHabit()),
                Arguments.of("parameters", TakesSeven.class, Disciplines.takeFewParameters(PARAMETERS_MAX)),
                Arguments.of("unordered", Collects.class, Disciplines.beRepeatable()),
                Arguments.of("sleep", Sleeps.class, Disciplines.notSleepUnlessTaggedReal()));
    }

    static final class Clean {
        private long deadlineNs;

        boolean isDue(long nowNs) {
            return nowNs - deadlineNs >= 0;
        }

        void onTimer(long nowNs) {
            deadlineNs = nowNs + 1;
        }
    }

    static final class ReadsTheClock {
        long ageNs(long bornNs) {
            return System.nanoTime() - bornNs;
        }
    }

    static final class RollsDice {
        int side(Random dice) {
            return dice.nextInt(6);
        }
    }

    static final class IsVolatile {
        volatile long counter;
    }

    static final class IsSynchronized {
        private long counter;

        synchronized long next() {
            return ++counter;
        }
    }

    static final class Boxes {
        Object box(int value) {
            return value;
        }
    }

    static final class Wraps {
        boolean isThere(Object value) {
            return Optional.ofNullable(value).isPresent();
        }
    }

    static final class Formats {
        String text(String value) {
            return String.format("%s", value);
        }
    }

    static final class Collects {
        final java.util.HashMap<String, String> map = new java.util.HashMap<>();
    }

    static final class TakesSeven {
        int sum(int a, int b, int c, int d, int e, int f, int g) {
            return a + b + c + d + e + f + g;
        }
    }

    static final class Sleeps {
        void nap() throws InterruptedException {
            Thread.sleep(1);
        }
    }
}

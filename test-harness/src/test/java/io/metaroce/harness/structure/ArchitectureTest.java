// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may know whom. The table is in {@link Rooms}; docs/decisions says why. */
class ArchitectureTest {
    /** Interfaces that jnr-ffi implements when it loads a native library. */
    private static final Set<String> BOUND_AT_RUN_TIME = Set.of("LibC", "Shim");

    private static JavaClasses main;
    private static JavaClasses tests;

    @BeforeAll
    static void importClasses() {
        main = Rooms.mainClasses();
        tests = Rooms.testClasses();
    }

    @Test
    void everyClassLivesInARoom() {
        assertThat(main.stream()
                        .filter(Rooms::isOurs)
                        .filter(type -> Rooms.roomOf(type).isEmpty())
                        .map(JavaClass::getName))
                .as("a new room needs a row in Rooms, with the rooms it may know")
                .isEmpty();
    }

    @Test
    void aRoomKnowsOnlyTheRoomsThatTheTableAllows() {
        classes()
                .that(areOurs())
                .should(knowOnlyAllowedRooms())
                .because("a room that knows little can be read, tested and replaced alone")
                .check(main);
    }

    @Test
    void theTableRefusesAnArrowThatItDoesNotName() {
        assertThat(Rooms.mayKnow("wire", "port")).isFalse();
        assertThat(Rooms.mayKnow("control", "transport.connection")).isFalse();
        assertThat(Rooms.mayKnow("lane", "port")).isTrue();
        assertThat(Rooms.mayKnow("harness", "wire")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "io.metaroce.(*)..",
        "io.metaroce.transport.(*)..",
        "io.metaroce.control.(*)..",
        "io.metaroce.harness.(*).."
    })
    void roomsFormNoCircle(String slices) {
        slices().matching(slices)
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(main);
    }

    @ParameterizedTest
    @CsvSource({
        "com.lmax.disruptor.., io.metaroce.lane..",
        "io.micrometer.., io.metaroce.control.metrics..",
        "io.prometheus.., io.metaroce.control.metrics..",
        "jnr.., io.metaroce.socket..|io.metaroce.dpdk..",
        "picocli.., io.metaroce.control..|io.metaroce.harness..",
        "com.fasterxml.jackson.., io.metaroce.control..|io.metaroce.harness..",
        "org.yaml.snakeyaml.., io.metaroce.control.config..",
        "org.slf4j.., io.metaroce.control..",
        "org.HdrHistogram.., io.metaroce.harness..",
        "sun.misc.., nowhere",
        "jdk.internal.., nowhere",
        "ch.qos.logback.., io.metaroce.control.daemon.."
    })
    void aLibraryStaysInItsRoom(String library, String rooms) {
        noClasses()
                .that()
                .resideOutsideOfPackages(rooms.split("\\|"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .because("a library that one room knows can be exchanged there")
                .check(main);
    }

    @Test
    void noOneUsesMockObjects() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.mockito..", "org.easymock..", "org.powermock..")
                .because("fakes written by hand say what they do; mocks repeat the implementation")
                .allowEmptyShould(true)
                .check(tests);
    }

    @Test
    void mainCodeKnowsNoTestLibrary() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.junit..", "org.assertj..", "net.jqwik..", "com.tngtech..", "org.openjdk.jmh..")
                .check(main);
    }

    @Test
    void packetPortsAreNamedForWhatTheyAre() {
        classes()
                .that(implement("io.metaroce.port.PacketPort"))
                .should()
                .haveSimpleNameEndingWith("Port")
                .andShould()
                .resideInAnyPackage(
                        "io.metaroce.port..",
                        "io.metaroce.wrap..",
                        "io.metaroce.socket..",
                        "io.metaroce.dpdk..",
                        "io.metaroce.harness..")
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void congestionControllersLiveTogether() {
        classes()
                .that(implement("io.metaroce.transport.congestion.CongestionControl"))
                .should()
                .resideInAnyPackage("io.metaroce.transport.congestion..", "io.metaroce.harness..")
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void flyweightsLiveInWireAndAreNotOpenToExtension() {
        classes()
                .that()
                .haveSimpleNameEndingWith("Flyweight")
                .should()
                .resideInAnyPackage("io.metaroce.wire..", "io.metaroce.link..", "io.metaroce.queue..")
                .andShould(ArchCondition.from(DescribedPredicate.describe(
                        "be final or abstract",
                        type -> type.getModifiers().contains(JavaModifier.FINAL)
                                || type.getModifiers().contains(JavaModifier.ABSTRACT))))
                .allowEmptyShould(true)
                .check(main);
    }

    @Test
    void anInterfaceOfOursHasAtLeastOneImplementationHere() {
        List<String> empty = main.stream()
                .filter(Rooms::isOurs)
                .filter(type -> type.isInterface() && !type.isAnnotation() && !type.isNestedClass())
                .filter(type -> type.getAllSubclasses().isEmpty())
                .filter(type -> !BOUND_AT_RUN_TIME.contains(type.getSimpleName()))
                .filter(type -> type.getAllMethods().stream()
                                .filter(method -> method.getModifiers().contains(JavaModifier.ABSTRACT))
                                .count()
                        > 1) // a functional interface is implemented by lambdas, which leave no class
                .map(JavaClass::getName)
                .sorted()
                .toList();

        assertThat(empty).as("interfaces without an implementation").isEmpty();
    }

    private static DescribedPredicate<JavaClass> areOurs() {
        return DescribedPredicate.describe("are ours", Rooms::isOurs);
    }

    private static DescribedPredicate<JavaClass> implement(String name) {
        return DescribedPredicate.describe(
                "implement " + name, type -> !type.isInterface() && type.isAssignableTo(name));
    }

    private static ArchCondition<JavaClass> knowOnlyAllowedRooms() {
        return new ArchCondition<>("know only the rooms that the table allows") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                String room = Rooms.roomOf(type);
                type.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> Rooms.isOurs(dependency.getTargetClass()))
                        .filter(dependency -> !Rooms.mayKnow(room, Rooms.roomOf(dependency.getTargetClass())))
                        .forEach(dependency ->
                                events.add(SimpleConditionEvent.violated(type, dependency.getDescription())));
            }
        };
    }
}

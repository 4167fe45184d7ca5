// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.structure;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The conditions of {@link DisciplineTest}: what a class may not do, whichever room it is in. */
final class Disciplines {
    private static final Set<String> CLOCKS = Set.of("nanoTime", "currentTimeMillis", "now", "systemUTC");
    private static final List<String> OUTSIDE_WORLD = List.of(
            "java.net.",
            "java.nio.file.",
            "java.util.concurrent.locks.",
            "java.util.logging.",
            "org.slf4j.",
            "java.time.Clock",
            "java.util.Timer",
            "java.util.concurrent.Executor",
            "java.io.File",
            "java.io.RandomAccessFile",
            "java.io.PrintStream");
    private static final Set<String> RANDOM = Set.of(
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.concurrent.ThreadLocalRandom",
            "java.security.SecureRandom",
            "java.util.UUID");
    private static final Set<String> BOXES = Set.of(
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Short",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Boolean",
            "java.lang.Double",
            "java.lang.Float");

    private Disciplines() {}

    /** No clock, thread, lock, random source, file, socket or logger. */
    static ArchCondition<JavaClass> beAValueMachine() {
        return condition("have no clock, thread, lock, randomness, file, socket or logger", (type, events) -> {
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                String owner = call.getTargetOwner().getName();
                boolean readsClock = CLOCKS.contains(call.getName())
                        && (owner.equals("java.lang.System") || owner.startsWith("java.time."));
                boolean usesThread =
                        owner.equals("java.lang.Thread") && !call.getName().equals("onSpinWait");
                boolean rolls = owner.equals("java.lang.Math") && call.getName().equals("random");
                if (readsClock || usesThread || rolls) {
                    violated(events, type, call.getDescription());
                }
            }
            type.getDirectDependenciesFromSelf().forEach(dependency -> {
                String target = dependency.getTargetClass().getName();
                if (RANDOM.contains(target) || OUTSIDE_WORLD.stream().anyMatch(target::startsWith)) {
                    violated(events, type, dependency.getDescription());
                }
            });
        });
    }

    /** One thread at a time is a promise of the caller, so nothing pays for a second one. */
    static ArchCondition<JavaClass> haveNoSharedState() {
        return condition("have no volatile field, synchronized method or atomic", (type, events) -> {
            for (JavaField field : type.getFields()) {
                if (field.getModifiers().contains(JavaModifier.VOLATILE)) {
                    violated(events, type, field.getFullName() + " is volatile");
                }
            }
            for (JavaCodeUnit code : type.getCodeUnits()) {
                if (code.getModifiers().contains(JavaModifier.SYNCHRONIZED)) {
                    violated(events, type, code.getFullName() + " is synchronized");
                }
            }
            type.getDirectDependenciesFromSelf().forEach(dependency -> {
                if (dependency.getTargetClass().getPackageName().equals("java.util.concurrent.atomic")) {
                    violated(events, type, dependency.getDescription());
                }
            });
        });
    }

    /** No boxing, stream, Optional, formatted string or general collection. */
    static ArchCondition<JavaClass> allocateNothingByHabit() {
        return condition("not box, stream, format, or hold general collections", (type, events) -> {
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                String owner = call.getTargetOwner().getName();
                boolean boxes = BOXES.contains(owner) && call.getName().equals("valueOf");
                boolean formats = owner.equals("java.lang.String")
                        && (call.getName().equals("format") || call.getName().equals("formatted"));
                boolean streams = owner.startsWith("java.util.stream.") || owner.equals("java.util.Optional");
                if ((boxes || formats || streams) && !isForPeople(call.getOrigin())) {
                    violated(events, type, call.getDescription());
                }
            }
            for (JavaField field : type.getFields()) {
                boolean isCollection = field.getRawType().isAssignableTo(Iterable.class)
                        || field.getRawType().isAssignableTo(Map.class);
                // Agrona's maps have primitive keys and keep their arrays.
                boolean isAgrona = field.getRawType().getPackageName().startsWith("org.agrona.");
                if (isCollection && !isAgrona && !field.getModifiers().contains(JavaModifier.STATIC)) {
                    violated(events, type, field.getFullName() + " is a general collection");
                }
            }
        });
    }

    /** Settings travel as records, whose constructors may take as many values as there are settings. */
    static ArchCondition<JavaClass> takeFewParameters(int most) {
        return condition("take at most " + most + " parameters", (type, events) -> {
            for (JavaCodeUnit code : type.getCodeUnits()) {
                boolean isRecord = code.isConstructor() && type.isRecord();
                boolean isWrittenByTheCompiler =
                        code.getModifiers().contains(JavaModifier.SYNTHETIC) || (type.isEnum() && code.isConstructor());
                if (code.getRawParameterTypes().size() > most && !isRecord && !isWrittenByTheCompiler) {
                    violated(events, type, code.getFullName());
                }
            }
        });
    }

    /** The same seed gives the same run: nothing whose order or value changes from run to run. */
    static ArchCondition<JavaClass> beRepeatable() {
        Set<String> unordered = Set.of("java.util.HashMap", "java.util.HashSet", "java.util.IdentityHashMap");
        return condition("use no unordered collection and no identity hash", (type, events) -> {
            type.getDirectDependenciesFromSelf().forEach(dependency -> {
                if (unordered.contains(dependency.getTargetClass().getName())) {
                    violated(events, type, dependency.getDescription());
                }
            });
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                if (call.getName().equals("identityHashCode")) {
                    violated(events, type, call.getDescription());
                }
            }
        });
    }

    /** Sleeping hides a race and costs time; only tests that wait for another process may. */
    static ArchCondition<JavaClass> notSleepUnlessTaggedReal() {
        return condition("not sleep unless tagged real or long", (type, events) -> {
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                if (call.getTargetOwner().getName().equals("java.lang.Thread")
                        && call.getName().equals("sleep")
                        && !isTagged(type)) {
                    violated(events, type, call.getDescription());
                }
            }
        });
    }

    /** A class with a name ending in one of these is set up before a lane starts, or read after it. */
    static DescribedPredicate<JavaClass> runOnALane(String... offLane) {
        return DescribedPredicate.describe("run on a lane", type -> {
            for (JavaClass outer = type;
                    outer != null;
                    outer = outer.getEnclosingClass().orElse(null)) {
                for (String suffix : offLane) {
                    if (outer.getSimpleName().endsWith(suffix)) {
                        return false;
                    }
                }
            }
            return true;
        });
    }

    private static boolean isForPeople(JavaCodeUnit code) {
        return code.getName().equals("toString") || code.getName().equals("<clinit>");
    }

    private static boolean isTagged(JavaClass type) {
        for (JavaClass outer = type;
                outer != null;
                outer = outer.getEnclosingClass().orElse(null)) {
            if (outer.isAnnotatedWith("org.junit.jupiter.api.Tag")) {
                return true;
            }
        }
        return false;
    }

    private static void violated(ConditionEvents events, JavaClass type, String what) {
        events.add(SimpleConditionEvent.violated(type, what));
    }

    private static ArchCondition<JavaClass> condition(String text, BiConsumer<JavaClass, ConditionEvents> check) {
        return new ArchCondition<>(text) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                check.accept(type, events);
            }
        };
    }
}

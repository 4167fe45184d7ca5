// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.structure;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rooms of the house and the arrows between them; what is absent is forbidden.
 *
 * <p>A room is a package below {@code io.metaroce} with everything beneath it that is not a room of its own.
 */
final class Rooms {
    static final String ROOT = "io.metaroce.";

    /** Every room of dataplane and the native ports, with the rooms of ours that it may know. */
    static final Map<String, Set<String>> MAY_KNOW = new TreeMap<>(Map.ofEntries(
            Map.entry("wire", Set.of()),
            Map.entry("memory", Set.of()),
            Map.entry("queue", Set.of()),
            Map.entry("counters", Set.of()),
            Map.entry("port", Set.of()),
            Map.entry("pcap", Set.of()),
            Map.entry("transport.congestion", Set.of()),
            Map.entry("link", Set.of("wire", "port")),
            Map.entry("wrap", Set.of("port", "pcap")),
            Map.entry("verbs", Set.of("memory", "queue")),
            Map.entry("transport.recovery", Set.of("wire", "transport.congestion")),
            Map.entry("transport.path", Set.of("wire", "transport.congestion")),
            Map.entry("transport.stream", Set.of("wire", "memory", "queue")),
            Map.entry(
                    "transport.connection",
                    Set.of(
                            "wire",
                            "memory",
                            "queue",
                            "counters",
                            "transport.congestion",
                            "transport.recovery",
                            "transport.path",
                            "transport.stream")),
            Map.entry(
                    "lane",
                    Set.of(
                            // parses once, before it knows whose packet it is; hands settings and states through
                            "wire",
                            "transport.path",
                            "transport.stream",
                            "transport.connection",
                            "transport.congestion",
                            "memory",
                            "queue",
                            "counters",
                            "port",
                            "link")),
            Map.entry("socket", Set.of("port")),
            Map.entry("dpdk", Set.of("port", "link")),
            Map.entry("control", Set.of("lane", "memory", "port", "wrap", "queue", "counters")),
            Map.entry("harness", Set.of("*"))));

    /** Rooms that are values and functions: no clock, thread, randomness, file, socket or logger reaches them. */
    static final List<String> PURE = List.of("wire", "link", "memory", "queue", "transport", "port");

    /** Rooms whose code runs on a lane. */
    static final List<String> ON_A_LANE =
            List.of("wire", "link", "memory", "queue", "counters", "port", "transport", "lane", "socket", "dpdk");

    private Rooms() {}

    /** The compiled main classes of every module; the tests run after all of them are compiled. */
    static JavaClasses mainClasses() {
        return Imported.MAIN;
    }

    /** The compiled test classes of every module. */
    static JavaClasses testClasses() {
        return Imported.TESTS;
    }

    /** Read once for all tests of a process: it takes seconds. */
    private static final class Imported {
        static final JavaClasses MAIN = new ClassFileImporter().importPaths(compiled("classes"));
        static final JavaClasses TESTS = new ClassFileImporter().importPaths(compiled("test-classes"));
    }

    private static List<Path> compiled(String directory) {
        return SourceTree.MODULES.stream()
                .map(module -> SourceTree.ROOT.resolve(module).resolve("target").resolve(directory))
                .filter(Files::isDirectory)
                .toList();
    }

    /** The room of a class of ours: the longest name in the table that its package begins with. */
    static String roomOf(JavaClass type) {
        String name = type.getPackageName() + ".";
        String best = "";
        for (String room : MAY_KNOW.keySet()) {
            if (name.startsWith(ROOT + room + ".") && room.length() > best.length()) {
                best = room;
            }
        }
        return best;
    }

    static boolean isOurs(JavaClass type) {
        return type.getPackageName().startsWith(ROOT);
    }

    /** Whether the table allows the arrow. */
    static boolean mayKnow(String room, String other) {
        Set<String> allowed = MAY_KNOW.getOrDefault(room, Set.of());
        return room.equals(other) || allowed.contains(other) || allowed.contains("*");
    }

    /** ArchUnit's package patterns of some rooms. */
    static String[] patterns(List<String> rooms) {
        return rooms.stream().map(room -> ROOT + room + "..").toArray(String[]::new);
    }

    /** The packages of ours that hold at least one main class. */
    static Set<String> packages(JavaClasses classes) {
        Set<String> packages = new TreeSet<>();
        classes.stream().filter(Rooms::isOurs).forEach(type -> packages.add(type.getPackageName()));
        return packages;
    }
}

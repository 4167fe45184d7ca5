// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.structure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The files of the checkout as a person sees them: no build output, no version control. */
final class SourceTree {
    static final List<String> MODULES = List.of("dataplane", "dpdk-glue", "control", "test-harness");
    static final Path ROOT = findRoot();

    private static final Set<String> NOT_SOURCE = Set.of("target", ".git", ".metaroce", ".idea", ".vscode");

    private SourceTree() {}

    private static Path findRoot() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("metaroce"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException("not inside a checkout: no parent directory holds the launcher");
            }
        }
        return directory;
    }

    /** Every file, relative to the root, in a defined order. */
    static List<Path> files() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    boolean skipped =
                            NOT_SOURCE.contains(directory.getFileName().toString());
                    return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (!file.getFileName().toString().equals(".git")) { // a worktree's is a file
                        files.add(ROOT.relativize(file));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Collections.sort(files);
        return files;
    }

    static List<Path> javaFiles() {
        return files().stream().filter(file -> hasExtension(file, "java")).toList();
    }

    static boolean hasExtension(Path file, String... extensions) {
        String name = file.getFileName().toString();
        for (String extension : extensions) {
            if (name.endsWith("." + extension)) {
                return true;
            }
        }
        return false;
    }

    static String read(Path relative) {
        try {
            return Files.readString(ROOT.resolve(relative));
        } catch (IOException e) {
            throw new UncheckedIOException(relative + " cannot be read as UTF-8", e);
        }
    }

    static long size(Path relative) {
        try {
            return Files.size(ROOT.resolve(relative));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

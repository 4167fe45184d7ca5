// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.bench;

import io.metaroce.control.cli.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A child process with all it says on standard output; ended when it takes too long or is closed. */
final class Child implements AutoCloseable {
    private final List<String> command;
    private final Process process;
    private final File output;

    private Child(List<String> command) throws IOException {
        this.command = command;
        this.output = File.createTempFile("metaroce-bench", ".out");
        output.deleteOnExit();
        this.process = new ProcessBuilder(command)
                .redirectOutput(output)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .start();
    }

    static Child tool(List<String> command) throws IOException {
        return new Child(command);
    }

    /** A command of ours, behind some words such as those that enter a namespace. */
    static Child ours(List<String> prefix, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(ChildProcess.command(arguments));
        return new Child(command);
    }

    /**
     * Waits for its end.
     *
     * @return what it said
     * @throws IOException if it failed or did not end in time
     */
    String await(int seconds) throws IOException, InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            close();
            throw new IOException(program() + " did not end within " + seconds + " s");
        }
        if (process.exitValue() != 0) {
            throw new IOException(program() + " ended with " + process.exitValue());
        }
        return new String(java.nio.file.Files.readAllBytes(output.toPath()), StandardCharsets.UTF_8);
    }

    private String program() {
        return new File(command.get(0)).getName() + " " + command.get(command.size() - 1);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        if (!output.delete()) {
            output.deleteOnExit();
        }
    }

    /** Whether a program is on the path. */
    static boolean exists(String program) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            if (new File(directory, program).canExecute()) {
                return true;
            }
        }
        return false;
    }
}

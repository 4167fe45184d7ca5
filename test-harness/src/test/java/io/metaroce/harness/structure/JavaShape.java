// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.structure;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** What the compiler's own parser sees in a source file; nothing is compiled. */
final class JavaShape {
    /**
     * A method or constructor with a body.
     *
     * @param lines from the line of its first modifier or annotation to its closing brace
     */
    record Method(String name, int firstLine, int lines) {}

    /**
     * A file's methods and the lines where a synchronized block begins.
     */
    record Shape(List<Method> methods, List<Integer> synchronizedBlocks) {}

    private JavaShape() {}

    static Shape of(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("the tests run on a Java without compiler; use a JDK");
        }
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, null, null, List.of(inMemory(source)));
        try {
            CompilationUnitTree unit = task.parse().iterator().next();
            Scanner scanner = new Scanner(unit, Trees.instance(task).getSourcePositions());
            unit.accept(scanner, null);
            return scanner.shape;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JavaFileObject inMemory(String source) {
        return new SimpleJavaFileObject(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    private static final class Scanner extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final Shape shape = new Shape(new ArrayList<>(), new ArrayList<>());

        Scanner(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
            if (method.getBody() != null) {
                LineMap lines = unit.getLineMap();
                long first = lines.getLineNumber(positions.getStartPosition(unit, method));
                long last = lines.getLineNumber(positions.getEndPosition(unit, method));
                shape.methods.add(new Method(method.getName().toString(), (int) first, (int) (last - first + 1)));
            }
            return super.visitMethod(method, null);
        }

        @Override
        public @Nullable Void visitSynchronized(SynchronizedTree block, @Nullable Void unused) {
            long position = positions.getStartPosition(unit, block);
            shape.synchronizedBlocks.add((int) unit.getLineMap().getLineNumber(position));
            return super.visitSynchronized(block, null);
        }
    }
}

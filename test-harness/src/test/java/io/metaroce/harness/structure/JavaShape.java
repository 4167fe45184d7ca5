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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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

    /** Every source file of the tree, parsed once: starting the parser for each file takes longer than parsing. */
    private static final class Tree {
        static final Map<Path, Shape> SHAPES = ofAll(SourceTree.javaFiles());

        private static Map<Path, Shape> ofAll(List<Path> files) {
            List<Shape> shapes = parse(files.stream().map(SourceTree::read).toList());
            Map<Path, Shape> byFile = new TreeMap<>();
            for (int i = 0; i < files.size(); i++) {
                byFile.put(files.get(i), shapes.get(i));
            }
            return byFile;
        }
    }

    private JavaShape() {}

    /** The shape of a file of the tree. */
    static Shape of(Path file) {
        return Objects.requireNonNull(Tree.SHAPES.get(file), () -> file + " is not a source file");
    }

    /** The shape of a text. */
    static Shape of(String source) {
        return parse(List.of(source)).get(0);
    }

    private static List<Shape> parse(List<String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("the tests run on a Java without compiler; use a JDK");
        }
        List<JavaFileObject> units = sources.stream().map(JavaShape::inMemory).toList();
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, null, null, units);
        List<Shape> shapes = new ArrayList<>();
        try {
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) { // in the order of the sources
                Scanner scanner = new Scanner(unit, positions);
                unit.accept(scanner, null);
                shapes.add(scanner.shape);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return shapes;
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

// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * The specification as one HTML file that needs nothing beside it: chapters, registries made from the code's own tables,
 * exceptions and vectors, every rule with an anchor and every mention of a rule a link to it.
 */
final class SpecPage {
    private final SourceTree tree;
    private final Parser parser;
    private final HtmlRenderer renderer;
    private final PageLinks links;
    private final StringBuilder body = new StringBuilder(1 << 20);
    private final List<PageLinks.Heading> contents = new ArrayList<>();

    SpecPage(SourceTree tree) throws IOException {
        this.tree = tree;
        List<Extension> extensions = List.of(TablesExtension.create());
        parser = Parser.builder().extensions(extensions).build();
        Set<String> rules = tree.rules().stream().map(Rule::id).collect(Collectors.toSet());
        links = new PageLinks(rules);
        renderer = HtmlRenderer.builder()
                .extensions(extensions)
                .escapeHtml(true)
                .attributeProviderFactory(context -> links::attributes)
                .build();
    }

    /** The page's text. */
    String html() throws IOException {
        Path home = tree.specification();
        for (Path chapter : tree.chapters()) {
            section(chapter.getFileName().toString(), Files.readString(chapter));
        }
        section("registries.md", Registries.markdown());
        section("exceptions.md", Files.readString(home.resolve("exceptions.md")));
        for (Path vectors : vectors(home.resolve("vectors"))) {
            appendix("vectors/" + vectors.getFileName(), Files.readString(vectors));
        }
        String template = resource("page.html");
        return template.replace("@CONTENTS@", contents()).replace("@BODY@", body);
    }

    private void section(String file, String markdown) {
        Node document = parser.parse(markdown);
        contents.addAll(links.prepare(file, document));
        body.append("<section>\n").append(renderer.render(document)).append("</section>\n");
    }

    private void appendix(String file, String text) {
        String id = PageLinks.anchor(file);
        String title = "Vectors: " + file.substring(file.indexOf('/') + 1);
        contents.add(new PageLinks.Heading(1, id, title));
        body.append("<section>\n<h1 id=\"").append(id).append("\">").append(PageLinks.escape(title));
        body.append("</h1>\n<pre>").append(PageLinks.escape(text)).append("</pre>\n</section>\n");
    }

    private String contents() {
        StringBuilder list = new StringBuilder();
        for (PageLinks.Heading heading : contents) {
            list.append("<a class=\"level").append(heading.level()).append("\" href=\"#");
            list.append(heading.id()).append("\">");
            list.append(PageLinks.escape(heading.text())).append("</a>\n");
        }
        return list.toString();
    }

    private static List<Path> vectors(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    static String resource(String name) throws IOException {
        try (InputStream in = SpecPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("the build left out " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

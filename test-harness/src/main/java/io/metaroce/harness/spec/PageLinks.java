// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.spec;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;

/** Gives headings and rules their anchors, and turns mentions of rules and of other files into links within the page. */
final class PageLinks {
    private static final Pattern ID = Pattern.compile("MOP-[A-Z]+-\\d+");
    private static final Pattern NO_WORD = Pattern.compile("[^a-z0-9]+");
    /** Headings deeper than this do not stand in the table of contents. */
    private static final int CONTENTS_DEPTH = 2;

    private final Set<String> rules;
    private final IdentityHashMap<Node, String> anchors = new IdentityHashMap<>();

    /** A line of the table of contents. */
    record Heading(int level, String id, String text) {}

    PageLinks(Set<String> rules) {
        this.rules = rules;
    }

    /** Prepares a file's tree for rendering; returns its headings. */
    List<Heading> prepare(String file, Node document) {
        List<Heading> headings = new ArrayList<>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(org.commonmark.node.Heading heading) {
                String text = text(heading);
                String id = headings.isEmpty() ? anchor(file) : anchor(file) + '-' + slug(text);
                anchors.put(heading, id);
                if (heading.getLevel() <= CONTENTS_DEPTH) {
                    headings.add(new Heading(heading.getLevel(), id, text));
                }
                visitChildren(heading);
            }

            @Override
            public void visit(Paragraph paragraph) {
                Node first = paragraph.getFirstChild();
                if (first instanceof StrongEmphasis && rules.contains(text(first))) {
                    anchors.put(paragraph, text(first));
                }
                visitChildren(paragraph);
            }

            @Override
            public void visit(Link link) {
                String destination = link.getDestination();
                if (!destination.contains(":") && !destination.startsWith("#")) {
                    link.setDestination('#' + anchor(destination));
                }
            }

            @Override
            public void visit(StrongEmphasis strong) {
                // The rule's own name, which leads nowhere but here.
                if (!rules.contains(text(strong))) {
                    visitChildren(strong);
                }
            }

            @Override
            public void visit(Text text) {
                linkRules(text);
            }
        });
        return headings;
    }

    /** What the renderer asks for each node. */
    void attributes(Node node, String tag, Map<String, String> attributes) {
        String anchor = anchors.get(node);
        if (anchor != null) {
            attributes.put("id", anchor);
            if (node instanceof Paragraph) {
                attributes.put("class", "rule");
            }
        }
    }

    private void linkRules(Text text) {
        String literal = text.getLiteral();
        Matcher id = ID.matcher(literal);
        int done = 0;
        Node place = text;
        while (id.find()) {
            if (!rules.contains(id.group())) {
                continue;
            }
            Link link = new Link('#' + id.group(), null);
            link.appendChild(new Text(id.group()));
            Text before = new Text(literal.substring(done, id.start()));
            place.insertAfter(before);
            before.insertAfter(link);
            place = link;
            done = id.end();
        }
        if (done > 0) {
            place.insertAfter(new Text(literal.substring(done)));
            text.unlink();
        }
    }

    /** The anchor of a file's first heading; that of a directory is its first file's. */
    static String anchor(String file) {
        String name = file.equals("vectors/") ? "vectors/packets.txt" : file;
        return slug(name.replaceFirst("\\.(md|txt)$", ""));
    }

    private static String slug(String text) {
        return NO_WORD.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("-");
    }

    private static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
                text.append(part.getLiteral());
            }
        });
        return text.toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

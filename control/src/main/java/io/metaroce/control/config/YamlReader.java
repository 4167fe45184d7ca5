// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads a YAML text into leaves with their lines. Only plain mappings, lists and scalars are taken: a second document, an
 * anchor, an alias, a duplicate or a dotted key is an error, so that one reading of a file is the only one.
 */
final class YamlReader {
    static final int TEXT_LENGTH_MAX = 1 << 20;
    private static final int DEPTH_MAX = 8;
    private static final int ENTRIES_MAX = 4096;
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final String fileName;
    private final List<YamlEntry> entries = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private YamlReader(String fileName) {
        this.fileName = fileName;
    }

    static List<YamlEntry> read(String fileName, String text) throws ConfigException {
        if (text.length() > TEXT_LENGTH_MAX) {
            throw new ConfigException(fileName + ": longer than " + Units.bytes(TEXT_LENGTH_MAX));
        }
        YamlReader reader = new YamlReader(fileName);
        try (YAMLParser parser = new YAMLFactory().createParser(text)) {
            reader.readDocument(parser);
        } catch (JsonProcessingException e) {
            throw new ConfigException(reader.syntaxProblem(e));
        } catch (IOException | RuntimeException e) {
            // The scanner underneath throws its own unchecked exceptions on some malformed texts.
            throw new ConfigException(fileName + ": not valid YAML: " + firstLine(String.valueOf(e.getMessage())));
        }
        if (!reader.problems.isEmpty()) {
            throw new ConfigException(reader.problems);
        }
        return reader.entries;
    }

    private void readDocument(YAMLParser parser) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null || first == JsonToken.VALUE_NULL) {
            return;
        }
        if (first != JsonToken.START_OBJECT) {
            problem(line(parser), "the file must be a mapping of sections, such as \"lanes:\"");
            return;
        }
        readMapping(parser, "", 0);
        if (problems.isEmpty() && parser.nextToken() != null) {
            problem(line(parser), "a second document in the file; one is read");
        }
    }

    private void readMapping(YAMLParser parser, String path, int depth) throws IOException {
        int start = line(parser);
        Map<String, Integer> seen = new HashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            int line = line(parser);
            Integer earlier = seen.putIfAbsent(name, line);
            String key = path.isEmpty() ? name : path + "." + name;
            if (earlier != null) {
                problem(line, key + ": given twice, first at line " + earlier);
            } else if (!KEY.matcher(name).matches()) {
                problem(
                        line,
                        "key \"" + printable(name) + "\": keys are nested words of letters, digits and underscores");
            }
            parser.nextToken();
            readValue(parser, key, line, depth + 1);
        }
        if (seen.isEmpty() && !path.isEmpty()) {
            add(new YamlEntry(path, YamlEntry.Kind.EMPTY_MAPPING, "", start));
        }
    }

    private void readList(YAMLParser parser, String path, int depth) throws IOException {
        int start = line(parser);
        int index = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            readValue(parser, path + "[" + index + "]", line(parser), depth + 1);
            index++;
        }
        if (index == 0) {
            add(new YamlEntry(path, YamlEntry.Kind.EMPTY_LIST, "", start));
        }
    }

    private void readValue(YAMLParser parser, String key, int line, int depth) throws IOException {
        if (depth > DEPTH_MAX || entries.size() > ENTRIES_MAX) {
            throw new IOException("more than " + DEPTH_MAX + " levels or " + ENTRIES_MAX + " values");
        }
        if (parser.isCurrentAlias() || parser.getObjectId() != null) {
            problem(line, key + ": anchors (&) and aliases (*) are not taken; write the value out");
        }
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            readMapping(parser, key, depth);
        } else if (token == JsonToken.START_ARRAY) {
            readList(parser, key, depth);
        } else if (token == JsonToken.VALUE_NULL) {
            add(new YamlEntry(key, YamlEntry.Kind.NOTHING, "", line));
        } else if (token == null) {
            throw new IOException("the file ends inside " + key);
        } else {
            add(new YamlEntry(key, YamlEntry.Kind.SCALAR, parser.getText(), line));
        }
    }

    private void add(YamlEntry entry) {
        entries.add(entry);
    }

    private void problem(int line, String text) {
        problems.add(fileName + ":" + line + ": " + text);
    }

    private String syntaxProblem(JsonProcessingException e) {
        JsonLocation location = e.getLocation();
        String where = location == null ? "" : ":" + location.getLineNr();
        return fileName + where + ": not valid YAML: " + firstLine(e.getOriginalMessage());
    }

    private static int line(YAMLParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    private static String firstLine(String text) {
        return printable(text.lines().findFirst().orElse("no detail"));
    }

    /** Text from the file made safe for one line of a terminal. */
    static String printable(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(120).forEach(c -> line.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return line.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** A line for scripts: one JSON object. */
final class LineJson {
    private final JsonFactory factory = new JsonFactory();

    String of(Line line) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = factory.createGenerator(text)) {
            json.writeStartObject();
            for (Map.Entry<Field, Object> entry : line.values().entrySet()) {
                if (entry.getValue() instanceof Long number) {
                    json.writeNumberField(entry.getKey().key(), number);
                } else {
                    json.writeStringField(entry.getKey().key(), entry.getValue().toString());
                }
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}

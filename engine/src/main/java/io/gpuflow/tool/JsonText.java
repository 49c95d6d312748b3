package io.gpuflow.tool;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes JSON that a person reads and edits. */
final class JsonText {
    @FunctionalInterface
    interface Writing {
        void write(JsonGenerator json) throws IOException;
    }

    private JsonText() {}

    /**
     * Replaces the file as a whole, so that a crash or a full disk leaves the old one or the new
     * one.
     */
    static void write(Path file, Writing writing) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            writing.write(json);
        }
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.write(fresh, text.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }
}

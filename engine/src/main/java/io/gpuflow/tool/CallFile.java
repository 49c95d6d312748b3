package io.gpuflow.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.gpuflow.tool.ToolResult.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code call.json}: what was run and how it ended, beside the files stdout and stderr. It names no
 * folder of this run and holds no secret.
 */
record CallFile(
        List<String> argv,
        Map<String, String> env,
        Outcome outcome,
        int exit,
        double seconds,
        String why,
        List<String> notes,
        List<String> strays) {

    static final String NAME = "call.json";

    static CallFile of(
            ToolCall call, ToolResult result, Placeholders places, Collection<String> secrets) {
        return new CallFile(
                storedArgv(call, places, secrets),
                storedEnv(call, places, secrets),
                result.outcome(),
                result.exit(),
                result.seconds(),
                result.why() == null ? null : SecretMask.mask(result.why(), secrets),
                result.notes().stream().map(note -> SecretMask.mask(note, secrets)).toList(),
                result.strays().stream().map(stray -> SecretMask.mask(stray, secrets)).toList());
    }

    static List<String> storedArgv(ToolCall call, Placeholders places, Collection<String> secrets) {
        return Redaction.argv(places.put(call.argv()), secrets);
    }

    static Map<String, String> storedEnv(
            ToolCall call, Placeholders places, Collection<String> secrets) {
        Map<String, String> env = new TreeMap<>();
        call.env()
                .forEach(
                        (name, value) -> {
                            String placed = value == null ? null : places.put(value);
                            String masked =
                                    placed == null ? null : SecretMask.mask(placed, secrets);
                            env.put(name, Redaction.value(name, masked));
                        });
        return env;
    }

    Question question() {
        return Question.of(argv, env);
    }

    void write(Path folder) throws IOException {
        JsonText.write(folder.resolve(NAME), this::write);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        array(json, "argv", argv);
        json.writeObjectFieldStart("env");
        for (Map.Entry<String, String> variable : env.entrySet()) {
            json.writeStringField(variable.getKey(), variable.getValue());
        }
        json.writeEndObject();
        json.writeStringField("outcome", word(outcome));
        json.writeNumberField("exit", exit);
        json.writeFieldName("seconds");
        json.writeNumber(String.format(Locale.ROOT, "%.3f", seconds));
        if (why != null) {
            json.writeStringField("why", why);
        }
        array(json, "notes", notes);
        array(json, "strays", strays);
        json.writeEndObject();
    }

    private static void array(JsonGenerator json, String name, List<String> values)
            throws IOException {
        if (values.isEmpty() && !name.equals("argv")) {
            return;
        }
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /**
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static CallFile read(JsonNode json) {
        Json object = new Json(json);
        Outcome outcome = outcome(object.text("outcome", "exited"));
        List<String> argv = object.texts("argv");
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("argv is missing or empty");
        }
        int exit = (int) object.number("exit", outcome == Outcome.EXITED ? 0 : -1, -1, 255);
        return new CallFile(
                argv,
                object.map("env"),
                outcome,
                exit,
                object.number("seconds", 0, 0, 1e9),
                object.text("why", outcome == Outcome.EXITED ? null : word(outcome)),
                object.texts("notes"),
                object.texts("strays"));
    }

    private static String word(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Outcome outcome(String word) {
        for (Outcome outcome : Outcome.values()) {
            if (word(outcome).equals(word.replace('_', '-'))) {
                return outcome;
            }
        }
        throw new IllegalArgumentException(
                "outcome is "
                        + word
                        + ", wanted exited, missing, timed-out, interrupted or broken");
    }
}

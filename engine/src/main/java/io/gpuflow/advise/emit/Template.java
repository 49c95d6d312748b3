package io.gpuflow.advise.emit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A text with places such as {@code @WORLD@}. */
final class Template {
    private static final Pattern PLACE = Pattern.compile("@([A-Z][A-Z0-9_]*)@");

    private Template() {}

    /** The template of this name with every place filled; a place without a value is a fault. */
    static String fill(String name, Map<String, ?> values) {
        StringBuilder text = new StringBuilder();
        Matcher places = PLACE.matcher(text(name));
        while (places.find()) {
            Object value = values.get(places.group(1));
            if (value == null) {
                throw new IllegalStateException(name + " has no value for " + places.group());
            }
            places.appendReplacement(text, Matcher.quoteReplacement(value.toString()));
        }
        return places.appendTail(text).toString();
    }

    static String text(String name) {
        try (InputStream in = Template.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the installation is incomplete: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

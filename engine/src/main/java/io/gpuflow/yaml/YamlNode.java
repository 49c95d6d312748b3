package io.gpuflow.yaml;

import java.util.List;

/** A YAML value and where it stands. Aliases are already replaced by what they stand for. */
public sealed interface YamlNode {
    Position at();

    /** What it is, for messages. */
    String words();

    /** A list. */
    record Items(Position at, List<YamlNode> items) implements YamlNode {
        @Override
        public String words() {
            return "a list";
        }
    }

    /** A map, in file order; no key is there twice. */
    record Entries(Position at, List<Entry> entries) implements YamlNode {
        /** The value of a key, or null. */
        public YamlNode get(String key) {
            Entry entry = entry(key);
            return entry == null ? null : entry.value();
        }

        public Entry entry(String key) {
            for (Entry entry : entries) {
                if (entry.key().value().equals(key)) {
                    return entry;
                }
            }
            return null;
        }

        @Override
        public String words() {
            return "a map";
        }
    }

    record Entry(Scalar key, YamlNode value) {}

    /**
     * A text as it stands in the file; what it means is told by {@link Core}.
     *
     * @param plain true when it is not quoted and not a block, so that {@code true} and {@code 12}
     *     are no texts
     */
    record Scalar(Position at, String value, boolean plain, Span span) implements YamlNode {
        /**
         * The position of an offset in the value; the start of the scalar where that is not told.
         */
        public Position at(int offset) {
            return span.at(value, offset, at);
        }

        int width() {
            return span.width();
        }

        /** Where it begins in the file's text, quotes included; UTF-16. */
        public int start() {
            return span.start();
        }

        /** Where it ends in the file's text, exclusive. */
        public int end() {
            return span.end();
        }

        /** True for nothing at all: {@code key:}. */
        public boolean isEmpty() {
            return plain && value.isEmpty();
        }

        @Override
        public String words() {
            if (!plain) {
                return "text";
            }
            Object value = Core.value(this);
            if (value == null) {
                return isEmpty() ? "empty" : "null";
            }
            if (value instanceof Boolean) {
                return "true or false";
            }
            return value instanceof Number ? "a number" : "text";
        }
    }
}

package io.gpuflow.expr;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is known of a value before it is there: lets a wrong name or operator be told early. */
public sealed interface Type {
    /** Types without parts. ANY is not known before the value is there. */
    enum Basic implements Type {
        ANY("any value"),
        BOOL("true or false"),
        INT("an int"),
        DOUBLE("a double"),
        TEXT("text"),
        DURATION("a duration"),
        NULL("null");

        private final String words;

        Basic(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** A list whose items are all of one type. */
    record ListOf(Type item) implements Type {
        @Override
        public String toString() {
            return "a list";
        }
    }

    /** A map from text to one type, with any keys. */
    record MapOf(Type value) implements Type {
        @Override
        public String toString() {
            return "a map";
        }
    }

    /**
     * A map with known keys: any other is a mistake.
     *
     * @param what what has these fields, for messages: "step smoke"
     * @param absent fields that exist elsewhere, each with the reason why it is not here
     */
    record Fields(String what, Map<String, Type> fields, Map<String, String> absent)
            implements Type {
        public Fields {
            // Not Map.copyOf: messages list the fields in the order given.
            fields = new LinkedHashMap<>(fields);
            absent = Map.copyOf(absent);
        }

        @Override
        public String toString() {
            return "a map";
        }

        /** These fields and one more, which hides an outer one. */
        public Fields with(String name, Type type) {
            Map<String, Type> more = new LinkedHashMap<>(fields);
            more.put(name, type);
            return new Fields(what, more, absent);
        }
    }

    Type ANY = Basic.ANY;
    Type BOOL = Basic.BOOL;
    Type INT = Basic.INT;
    Type DOUBLE = Basic.DOUBLE;
    Type TEXT = Basic.TEXT;
    Type DURATION = Basic.DURATION;
    Type NULL = Basic.NULL;

    static Type listOf(Type item) {
        return new ListOf(item);
    }

    static Type mapOf(Type value) {
        return new MapOf(value);
    }

    static Fields fields(String what, Map<String, Type> fields) {
        return new Fields(what, fields, Map.of());
    }
}

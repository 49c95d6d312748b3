package io.gpuflow.expr;

/** The functions. Macros (has, all, exists, filter, map) are syntax, not functions. */
enum Function {
    SIZE("size", 1, Form.BOTH),
    STARTS_WITH("startsWith", 2, Form.METHOD),
    ENDS_WITH("endsWith", 2, Form.METHOD),
    CONTAINS("contains", 2, Form.METHOD),
    MATCHES("matches", 2, Form.BOTH),
    INT("int", 1, Form.CALL),
    DOUBLE("double", 1, Form.CALL),
    STRING("string", 1, Form.CALL),
    DURATION("duration", 1, Form.CALL);

    /** How CEL lets it be written: {@code f(x)}, {@code x.f()} or both. */
    enum Form {
        CALL,
        METHOD,
        BOTH
    }

    final String word;
    final int arguments;
    final Form form;

    Function(String word, int arguments, Form form) {
        this.word = word;
        this.arguments = arguments;
        this.form = form;
    }

    static Function named(String word) {
        for (Function function : values()) {
            if (function.word.equals(word)) {
                return function;
            }
        }
        return null;
    }

    /** How it is written, for messages. */
    String usage() {
        String rest = arguments == 1 ? "" : "text";
        return form == Form.CALL ? word + "(x)" : "x." + word + "(" + rest + ")";
    }
}

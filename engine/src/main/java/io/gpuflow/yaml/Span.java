package io.gpuflow.yaml;

/** The stretch of the file that a scalar takes, quotes included. Offsets are UTF-16. */
record Span(SourceText source, int start, int end) {
    /** No more is underlined. */
    private static final int WIDEST = 200;

    int width() {
        int most = Math.min(end, start + WIDEST);
        int stop = start;
        while (stop < most && source.text.charAt(stop) != '\n') {
            stop++;
        }
        return Math.max(1, source.text.codePointCount(start, Math.max(start, stop)));
    }

    /**
     * Where the character at an offset of the value stands. Value and source are walked side by
     * side: each character must be found literally, skipping line breaks, indentation and the
     * backslash or quote of an escape. Where that fails the answer is {@code otherwise}.
     */
    Position at(String value, int offset, Position otherwise) {
        String text = source.text;
        int at = start;
        if (at < end && "|>".indexOf(text.charAt(at)) >= 0) {
            int line = text.indexOf('\n', at);
            at = line < 0 || line > end ? end : line + 1;
        } else if (at < end && "'\"".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        for (int i = 0; i < offset && i < value.length(); i++) {
            at = find(value.charAt(i), at);
            if (at < 0) {
                return otherwise;
            }
            at++;
        }
        int found = offset < value.length() ? find(value.charAt(offset), at) : at;
        return found < 0 || found > end ? otherwise : source.at(found);
    }

    private int find(char wanted, int at) {
        String text = source.text;
        while (at < end) {
            char c = text.charAt(at);
            boolean space = c == '\n' || c == '\r' || c == ' ' || c == '\t';
            if (c == wanted || wanted == ' ' && (c == '\n' || c == '\r')) {
                boolean escape = (c == '\'' || c == '\\') && next(at) == c && isQuoted();
                return escape ? at + 1 : at;
            }
            boolean quote = c == '\\' && next(at) == wanted;
            if (!space && !quote) {
                return -1;
            }
            at++;
        }
        return -1;
    }

    private boolean isQuoted() {
        return "'\"".indexOf(source.text.charAt(start)) >= 0;
    }

    private char next(int at) {
        return at + 1 < end ? source.text.charAt(at + 1) : 0;
    }
}

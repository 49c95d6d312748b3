package io.gpuflow.parse;

/** Undoes what writing a text into a string literal, JSON or HTML did to it. */
final class Escapes {
    private static final String[][] ENTITIES = {
        {"&gt;", ">"},
        {"&lt;", "<"},
        {"&nbsp;", " "},
        {"&quot;", "\""},
        {"&#39;", "'"},
        {"&amp;", "&"},
    };

    private Escapes() {}

    /** True when line ends and tabs of a table are there as backslash and letter only. */
    static boolean areIn(String text) {
        int at = -1;
        for (int i = 0; i < 3; i++) {
            at = text.indexOf("\\n", at + 1);
            if (at < 0) {
                return false;
            }
        }
        return true;
    }

    /** True when a text is one long line with its line ends written out. */
    static boolean areAll(String text) {
        return areIn(text) && text.strip().indexOf('\n') < 0;
    }

    /** Backslash n, t, r, quote, backslash and the escape character (x1b, 033, u001b, e). */
    static String undone(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                plain.append(c);
                continue;
            }
            char next = text.charAt(++i);
            switch (next) {
                case 'n' -> plain.append('\n');
                case 't' -> plain.append('\t');
                case 'r' -> plain.append('\r');
                case '"', '\\', '/', '\'' -> plain.append(next);
                default -> {
                    int length = escapeCode(text, i);
                    plain.append(length > 0 ? "\u001b" : "\\" + next);
                    i += Math.max(0, length - 1);
                }
            }
        }
        return plain.toString();
    }

    /** Length of x1b, 033, u001b or e in front of a bracket; 0 for anything else. */
    private static int escapeCode(String text, int at) {
        for (String code : new String[] {"x1b", "x1B", "033", "u001b", "u001B", "e"}) {
            if (text.startsWith(code + "[", at)) {
                return code.length();
            }
        }
        return 0;
    }

    static boolean hasEntities(String text) {
        return text.contains("&gt;")
                || text.contains("&lt;")
                || text.contains("&nbsp;")
                || text.contains("&quot;");
    }

    static String withoutEntities(String text) {
        String plain = text;
        for (String[] entity : ENTITIES) {
            plain = plain.replace(entity[0], entity[1]);
        }
        return plain;
    }
}

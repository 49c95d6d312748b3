package io.gpuflow.report;

import java.util.regex.Pattern;

/**
 * Text from tools, logs and files, made fit for a terminal: it must not move the cursor or hide.
 */
public final class SafeText {
    /** Colours and cursor movements that tools print. */
    private static final Pattern ESCAPES =
            Pattern.compile(
                    "\u001b(\\[[0-?]*[ -/]*[@-~]|\\][^\u0007\u001b]*(\u0007|\u001b\\\\)?|.?)");

    private SafeText() {}

    /** One line: escape sequences dropped, tabs and line ends as spaces, other controls as �. */
    public static String line(String text) {
        if (text == null) {
            return "";
        }
        String plain = text.indexOf('\u001b') < 0 ? text : ESCAPES.matcher(text).replaceAll("");
        StringBuilder clean = new StringBuilder(plain.length());
        plain.codePoints().forEach(c -> clean.appendCodePoint(shown(c)));
        return clean.toString().strip();
    }

    /** The beginning of it, where it takes more than so many columns. */
    static String cut(String text, int columns) {
        if (Wrap.columns(text) <= columns) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        int used = 1;
        for (int c : text.codePoints().toArray()) {
            used += Wrap.columns(Character.toString(c));
            if (used > columns) {
                break;
            }
            kept.appendCodePoint(c);
        }
        return kept.toString().stripTrailing() + "…";
    }

    private static int shown(int c) {
        if (c == '\t' || c == '\n' || c == '\r') {
            return ' ';
        }
        int type = Character.getType(c);
        boolean bad =
                Character.isISOControl(c)
                        || type == Character.FORMAT
                        || type == Character.LINE_SEPARATOR
                        || type == Character.PARAGRAPH_SEPARATOR
                        || type == Character.SURROGATE;
        return bad ? '\ufffd' : c;
    }
}

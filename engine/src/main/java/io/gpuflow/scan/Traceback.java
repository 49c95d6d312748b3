package io.gpuflow.scan;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One Python traceback while it is being read; lines of other ranks are kept apart by the caller.
 */
final class Traceback {
    private static final Pattern FRAME =
            Pattern.compile("^\\s*File \"(?<file>[^\"]+)\", line (?<line>\\d+), in (?<fn>.+)$");

    private static final Pattern LIBRARY =
            Pattern.compile(
                    "site-packages|dist-packages|/lib(?:64)?/python\\d|<frozen|/torch/distributed/"
                            + "|/importlib/|^<string>$");

    private static final Pattern EXCEPTION =
            Pattern.compile(
                    "^(?<type>(?:[A-Za-z_]\\w*\\.)*[A-Z]\\w*|[\\w.]*[eE]rror)(?:: (?<message>.*)|:?)$");

    private int indent;
    private String user;
    private String last;
    private boolean codeNext;
    private String code;

    boolean open;

    /** True when "During handling" or "direct cause" says that another exception came first. */
    boolean chained;

    void begin(String body) {
        open = true;
        user = null;
        last = null;
        code = null;
        codeNext = false;
        int at = body.indexOf("Traceback");
        indent = body.isBlank() || body.substring(0, at).isBlank() ? at : 2;
    }

    /**
     * Takes a line of the traceback.
     *
     * @return the exception that ends it as {type, message}, or null when it goes on
     */
    String[] line(String body) {
        Matcher frame = FRAME.matcher(body);
        if (frame.matches()) {
            String file = frame.group("file");
            String name = file.substring(file.lastIndexOf('/') + 1);
            last = name + ":" + frame.group("line") + " in " + frame.group("fn").strip();
            codeNext = !LIBRARY.matcher(file).find();
            if (codeNext) {
                user = last;
                code = null;
            }
            return null;
        }
        String text = body.strip();
        if (codeNext && !text.isEmpty()) {
            code = text;
            codeNext = false;
            return null;
        }
        if (text.isEmpty() || leading(body) > indent) {
            return null;
        }
        Matcher m = EXCEPTION.matcher(text);
        if (!m.matches()) {
            return null;
        }
        open = false;
        return new String[] {m.group("type"), m.group("message") == null ? "" : m.group("message")};
    }

    /** The user's last source line: {@code train.py:37 in step}; else the last frame, or null. */
    String where() {
        return user != null ? user : last;
    }

    /** The text of that line, or null. */
    String code() {
        return user != null ? code : null;
    }

    private static int leading(String body) {
        int n = 0;
        while (n < body.length() && body.charAt(n) == ' ') {
            n++;
        }
        return n;
    }
}

package io.gpuflow.tool;

import java.util.List;

/** A quick look at a line, before a pattern is tried on it. */
final class Texts {
    private Texts() {}

    static boolean anyIn(String line, List<String> texts) {
        for (String text : texts) {
            if (line.contains(text)) {
                return true;
            }
        }
        return false;
    }
}

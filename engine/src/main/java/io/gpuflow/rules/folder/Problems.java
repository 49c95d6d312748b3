package io.gpuflow.rules.folder;

import java.util.ArrayList;
import java.util.List;

/** What is wrong with rule files; all of it is collected before anything is refused. */
public final class Problems {
    private final List<String> lines = new ArrayList<>();

    /** Adds {@code file:line:col: what}. */
    public void add(YamlNode at, String what) {
        lines.add(at.at() + ": " + what);
    }

    public void add(String file, String what) {
        lines.add(file + ": " + what);
    }

    public boolean none() {
        return lines.isEmpty();
    }

    public List<String> lines() {
        return lines;
    }
}

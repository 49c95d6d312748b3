package io.gpuflow.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what is wrong in one or several files, so that all of it can be told at once. */
public final class Problems {
    private static final int MOST = 200;
    private static final int LONGEST = 400;

    private final Map<String, SourceText> sources = new HashMap<>();
    private final List<Problem> found = new ArrayList<>();
    private final Set<Problem> told = new HashSet<>();
    private int more;

    void know(SourceText source) {
        sources.put(source.file, source);
    }

    /** Reports a problem with a file as a whole. */
    public void file(String file, String says, String next) {
        add(new Problem(new Position(file, 1, 1), 1, "", cut(says), cut(next)));
    }

    /** Reports a problem at a node. */
    public void at(YamlNode node, String says, String next) {
        int width = node instanceof YamlNode.Scalar scalar ? scalar.width() : 1;
        at(node.at(), width, says, next);
    }

    /** Reports a problem inside of a scalar, by offset and length in its value. */
    public void at(YamlNode.Scalar scalar, int offset, int length, String says, String next) {
        if (found.size() >= MOST) {
            more++;
            return;
        }
        at(scalar.at(offset), length, says, next);
    }

    public void at(Position at, String says, String next) {
        at(at, 1, says, next);
    }

    void at(Position at, int width, String says, String next) {
        SourceText source = sources.get(at.file());
        String line = source == null ? "" : source.line(at.line());
        add(new Problem(at, Math.max(1, width), line, cut(says), cut(next)));
    }

    /** A message may quote the file, which may be one long word. */
    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    private void add(Problem problem) {
        if (!told.add(problem)) {
            return;
        }
        if (found.size() < MOST) {
            found.add(problem);
        } else {
            told.remove(problem);
            more++;
        }
    }

    /** Gives those problems after the first ones that have no next step what a key is for. */
    void explain(int first, String help) {
        for (int i = Math.min(first, found.size()); i < found.size(); i++) {
            Problem p = found.get(i);
            if (p.next().isEmpty()) {
                found.set(i, new Problem(p.at(), p.width(), p.line(), p.says(), cut(help)));
            }
        }
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** How many there are; those beyond the first 200 are counted, not kept. */
    public int count() {
        return found.size() + more;
    }

    /** In the order of files first used, and there in source order. */
    public List<Problem> all() {
        List<String> files = new ArrayList<>();
        found.forEach(p -> files.add(p.at().file()));
        List<Problem> sorted = new ArrayList<>(found);
        sorted.sort(
                Comparator.comparingInt((Problem p) -> files.indexOf(p.at().file()))
                        .thenComparing(Problem::at));
        return sorted;
    }
}

package io.gpuflow.report;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What came of the cases of rules: a line for each that failed, a sum at the end. */
public final class RuleTests {
    private record Case(String rule, String name, String at, List<String> differences) {}

    private final List<Case> cases = new ArrayList<>();
    private final List<String> uncovered = new ArrayList<>();

    /**
     * Adds a case.
     *
     * @param at file:line:column
     * @param differences empty when it passed
     */
    public void add(String rule, String name, String at, List<String> differences) {
        cases.add(new Case(rule, name, at, differences));
    }

    /** A rule without a case that fires, stays quiet or is unknown. */
    public void uncovered(String rule, String outcome) {
        uncovered.add(rule + " has no case that is " + outcome);
    }

    public boolean passed() {
        return failed() == 0 && uncovered.isEmpty();
    }

    private long failed() {
        return cases.stream().filter(c -> !c.differences().isEmpty()).count();
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Case c : cases) {
            if (!c.differences().isEmpty()) {
                lines.add(c.at() + ": " + c.rule() + ": " + SafeText.line(c.name()));
                for (String difference : c.differences()) {
                    difference.lines().forEach(d -> lines.add("    " + SafeText.line(d)));
                }
            }
        }
        lines.addAll(uncovered);
        String missing = uncovered.isEmpty() ? "" : ", " + uncovered.size() + " missing";
        lines.add(cases.size() + " cases, " + failed() + " failed" + missing);
        return lines;
    }

    public void writeJunit(Path file) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
            out.write(
                    "<testsuite name=\"gpuflow rules\" tests=\""
                            + (cases.size() + uncovered.size())
                            + "\" failures=\""
                            + (failed() + uncovered.size())
                            + "\">\n");
            for (Case c : cases) {
                out.write(
                        "  <testcase classname=\""
                                + xml(c.rule())
                                + "\" name=\""
                                + xml(c.name())
                                + "\"");
                if (c.differences().isEmpty()) {
                    out.write("/>\n");
                } else {
                    String text = xml(c.at() + ": " + String.join("; ", c.differences()));
                    out.write("><failure message=\"" + text + "\"/></testcase>\n");
                }
            }
            for (String missing : uncovered) {
                out.write("  <testcase classname=\"coverage\" name=\"" + xml(missing));
                out.write("\"><failure message=\"" + xml(missing) + "\"/></testcase>\n");
            }
            out.write("</testsuite>\n");
        }
    }

    private static String xml(String text) {
        return SafeText.line(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}

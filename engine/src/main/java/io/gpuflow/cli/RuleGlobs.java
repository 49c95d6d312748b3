package io.gpuflow.cli;

import io.gpuflow.expr.Nearest;
import io.gpuflow.rules.RuleCard;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.PatternSyntaxException;

/** Rules as they are named on the command line: ids, or AREA/ID, with * and ?. */
final class RuleGlobs {
    private RuleGlobs() {}

    /** Whether one of them names the rule; none at all names each. */
    static boolean match(List<String> globs, String area, String id) {
        if (globs == null || globs.isEmpty()) {
            return true;
        }
        Path path = Path.of(area, id);
        for (String glob : globs) {
            try {
                PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
                if (matcher.matches(path) || matcher.matches(path.getFileName())) {
                    return true;
                }
            } catch (PatternSyntaxException notAGlob) {
                // It names nothing, and whoever asks is told so.
                continue;
            }
        }
        return false;
    }

    /** Tells that nothing is named so, with what is nearest. */
    static int nothing(String verb, List<String> globs, Collection<String> ids) {
        List<String> near = new ArrayList<>();
        for (String glob : globs == null ? List.<String>of() : globs) {
            near.add("no rule " + glob + "; " + hint(glob, ids));
        }
        System.err.println(
                "gpuflow " + verb + ": " + (near.isEmpty() ? "no rules" : String.join("; ", near)));
        return ExitCode.USAGE;
    }

    /** Tells that no rule has the id, which may be a cause, as {@code diagnose} shows it. */
    static String noRule(String id, Map<String, RuleCard> cards) {
        List<String> telling =
                cards.values().stream()
                        .filter(c -> id.equals(c.cause()))
                        .map(RuleCard::id)
                        .sorted()
                        .toList();
        return telling.isEmpty()
                ? "no rule " + id + "; " + hint(id, cards.keySet())
                : id + " is a cause; the rules that name it: " + String.join(", ", telling);
    }

    /** What was probably meant by an id that no rule has; else where the ids stand. */
    static String hint(String id, Collection<String> known) {
        String near = Nearest.to(id, known);
        return near == null ? "gpuflow rules list names them" : "did you mean " + near + "?";
    }
}

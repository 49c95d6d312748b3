package io.gpuflow.bundle;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names the files of a run's folder as they are named in the bundle, so that a finding leads from
 * its evidence to the file in the archive wherever that is read.
 */
final class Relocation {
    /** Names that gpuflow gives: they stand for this run wherever the folder was moved from. */
    private static final Pattern GIVEN = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d{6}Z-.+");

    static final Relocation NONE = new Relocation(List.of(), "");

    private final List<String> prefixes;
    private final String root;
    private final Pattern elsewhere;

    /**
     * @param folders spellings of the folder, the longest first
     * @param root its name in the bundle
     */
    Relocation(List<String> folders, String root) {
        this.prefixes = folders.stream().map(f -> f + "/").toList();
        this.root = root;
        this.elsewhere =
                GIVEN.matcher(root).matches()
                        ? Pattern.compile("[\\w./~+@%-]*/" + Pattern.quote(root) + "/")
                        : null;
    }

    String of(String text) {
        String moved = text;
        for (String prefix : prefixes) {
            if (moved.contains(prefix)) {
                moved = moved.replace(prefix, root + "/");
            }
        }
        if (elsewhere != null && moved.contains("/" + root + "/")) {
            moved = elsewhere.matcher(moved).replaceAll(Matcher.quoteReplacement(root + "/"));
        }
        return moved;
    }
}

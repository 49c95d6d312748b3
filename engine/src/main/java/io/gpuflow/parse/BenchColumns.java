package io.gpuflow.parse;

import java.util.ArrayList;
import java.util.List;

/**
 * The heading above a benchmark's rows, and with it how a row is cut into cells.
 *
 * @param names as printed, from size on
 * @param redop true when a reduction column is there; its cells may be blank
 * @param groups measurements in a row: out of place and in place, or one of them
 * @param width columns of a measurement: time, algbw, busbw, #wrong and per-iteration figures
 * @param milliseconds the first version printed times in ms below the heading "bytes N type"
 * @param countsErrors false where the check's column holds a float error and not a count
 */
record BenchColumns(
        List<String> names,
        boolean redop,
        boolean root,
        int groups,
        int width,
        boolean milliseconds,
        boolean countsErrors) {

    /** Of the versions since 2.13, for rows whose heading was cut off. */
    static final BenchColumns USUAL = new BenchColumns(List.of(), true, true, 2, 4, false, true);

    /** The heading in a line, or null. */
    static BenchColumns in(List<Token> tokens) {
        for (int i = 0; i + 5 < tokens.size(); i++) {
            String word = bare(tokens.get(i).text());
            if ((word.equals("size") || word.equals("bytes"))
                    && bare(tokens.get(i + 2).text()).equals("type")) {
                return from(tokens, i);
            }
        }
        return null;
    }

    private static String bare(String word) {
        return word.startsWith("#") ? word.substring(1) : word;
    }

    private static BenchColumns from(List<Token> tokens, int start) {
        List<String> names = new ArrayList<>();
        int first = -1;
        int second = -1;
        for (int i = start; i < tokens.size(); i++) {
            String name = i == start ? bare(tokens.get(i).text()) : tokens.get(i).text();
            if (name.equals("time") || name.equals("cputime")) {
                second = first >= 0 && second < 0 ? names.size() : second;
                first = first < 0 ? names.size() : first;
            }
            names.add(name);
        }
        if (first < 0 || !names.contains("busbw")) {
            return null;
        }
        int width = second > 0 ? second - first : 4;
        boolean counts = !names.contains("error") && !names.contains("res");
        return new BenchColumns(
                names,
                names.contains("redop") || names.contains("op"),
                names.contains("root"),
                second > 0 ? 2 : 1,
                width,
                names.get(0).equals("bytes"),
                counts);
    }
}

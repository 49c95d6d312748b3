package io.gpuflow.parse;

import java.util.List;

/** The lines below a benchmark's rows, and the words in which it says that it failed. */
final class NcclTestsWords {
    private NcclTestsWords() {}

    /** Reads a line that follows the rows; false when it is none of them. */
    static boolean footer(String line, int number, BenchTable table) {
        if (line.contains("Out of bounds values")) {
            String value = afterColon(line, "Out of bounds values");
            List<Token> words = Token.in(value);
            table.outOfBounds = words.isEmpty() ? null : Numbers.integer(words.get(0).text());
            table.outOfBoundsStatus = words.size() > 1 ? words.get(1).text() : null;
            return true;
        }
        if (line.contains("Avg bus bandwidth")) {
            List<Token> words = Token.in(afterColon(line, "Avg bus bandwidth"));
            Double average = words.isEmpty() ? null : Numbers.real(words.get(0).text());
            if (table.average == null) {
                table.average = average;
                table.averageStatus = words.size() > 1 ? words.get(1).text() : null;
                table.averageLine = number;
            }
            table.completed = true;
            return true;
        }
        return line.contains("Collective test concluded")
                || line.contains("Errors with asterisks")
                || line.contains("GPU memory usage")
                || line.contains("Blocking Enabled")
                || line.contains("Parallel Init Enabled")
                || line.contains("Per-Iteration Report")
                || line.contains("Reducing maxBytes")
                || line.contains("# Testing ");
    }

    /** Keeps a line that tells a failure; false when it does not. */
    static boolean failure(String line, BenchTable table) {
        boolean failed =
                line.contains("Test NCCL failure")
                        || line.contains("Test CUDA failure")
                        || line.contains("Test HIP failure")
                        || isFirstVersions(line)
                        || line.contains("Test failure ")
                        || line.contains("Test timeout (")
                        || line.contains("# error: ")
                        || line.contains("Invalid number of GPUs");
        if (failed) {
            table.failures.add(Excerpt.of(line));
        }
        return failed;
    }

    /**
     * Up to 2.8: "NCCL failure common.cu:874 'unhandled system error'", "Cuda failure common.cu:891
     * …".
     */
    private static boolean isFirstVersions(String line) {
        return line.contains("NCCL failure common.cu") || line.contains("Cuda failure common.cu");
    }

    /** The word after a phrase, or null. */
    static String after(String line, String phrase) {
        int at = line.indexOf(phrase);
        if (at < 0) {
            return null;
        }
        List<Token> words = Token.in(line.substring(at + phrase.length()));
        return words.isEmpty() ? null : words.get(0).text();
    }

    static String afterColon(String line, String phrase) {
        int colon = line.indexOf(':', line.indexOf(phrase) + phrase.length());
        return colon < 0 ? "" : line.substring(colon + 1);
    }
}

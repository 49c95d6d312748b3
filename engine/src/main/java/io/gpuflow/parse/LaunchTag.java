package io.gpuflow.parse;

/**
 * What launchers and log collectors put around a line without a blank between: the JSON of Docker's
 * log files, and at the beginning "[1,0]<stdout>:" of mpirun --tag-output,
 * "[prterun-node1-7@1,0]<stdout>: " of its successor, "[rank0]:" and "[default0]:" of torchrun.
 * Prefixes that end in a blank are left: parsers find their words behind them.
 */
final class LaunchTag {
    private static final int MAX = 100;

    private LaunchTag() {}

    static String without(String line) {
        if (line.startsWith("{\"log\":\"")) {
            int close = line.indexOf("\",\"", 8);
            String text = line.substring(8, close < 0 ? line.length() : close);
            return Lines.plain(Escapes.undone(text)).stripTrailing();
        }
        int end = line.isEmpty() || line.charAt(0) != '[' ? -1 : line.indexOf(']');
        if (end < 0 || end > MAX) {
            return line;
        }
        if (line.startsWith("<std", end + 1)) {
            int close = line.indexOf('>', end);
            return close < 0 || close > end + 10 ? line : afterColon(line, close + 1);
        }
        boolean rank = isRank(line, 1, "rank", end) || isRank(line, 1, "default", end);
        return rank && end + 1 < line.length() && line.charAt(end + 1) == ':'
                ? afterColon(line, end + 1)
                : line;
    }

    private static String afterColon(String line, int at) {
        boolean colon = at < line.length() && line.charAt(at) == ':';
        return line.substring(colon ? at + 1 : at);
    }

    private static boolean isRank(String line, int at, String word, int end) {
        return line.startsWith(word, at)
                && Numbers.isInteger(line.substring(at + word.length(), end));
    }
}

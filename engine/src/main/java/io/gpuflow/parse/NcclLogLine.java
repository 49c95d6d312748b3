package io.gpuflow.parse;

/**
 * Finds what NCCL or RCCL logged in a line, whatever a launcher put before it. The form is {@code
 * host:pid:tid [device] NCCL INFO message}; since 2.26 a time may stand before the host, and WARN
 * lines name file, line and function between device and NCCL.
 */
record NcclLogLine(String host, String level, String message, int start) {
    private static final String[] LEVELS = {"INFO", "WARN", "TRACE", "CALL", "VERSION"};

    /** The last message in a line (torn output can hold several), or null. */
    static NcclLogLine in(String line) {
        for (int at = line.lastIndexOf("NCCL "); at >= 0; at = line.lastIndexOf("NCCL ", at - 1)) {
            for (String level : LEVELS) {
                int end = at + 5 + level.length();
                if (line.startsWith(level, at + 5)
                        && (end == line.length() || line.charAt(end) <= ' ')) {
                    return read(line, at, level, end);
                }
            }
            if (at == 0) {
                break;
            }
        }
        return null;
    }

    private static NcclLogLine read(String line, int at, String level, int end) {
        int start = prefixStart(line, at);
        String prefix = line.substring(start, at);
        int colon = prefix.indexOf(':');
        String host = colon > 0 ? prefix.substring(0, colon) : null;
        return new NcclLogLine(host, level, line.substring(end).strip(), start);
    }

    /** Where host:pid:tid begins, or where NCCL does when there is none. */
    private static int prefixStart(String line, int at) {
        int open = line.lastIndexOf('[', at);
        int i = open >= 0 && at - open < 120 ? open - 1 : at - 1;
        while (i >= 0 && line.charAt(i) <= ' ') {
            i--;
        }
        int end = i + 1;
        while (i >= 0 && line.charAt(i) > ' ') {
            i--;
        }
        String word = line.substring(i + 1, end);
        int last = word.lastIndexOf(':');
        int first = last > 0 ? word.lastIndexOf(':', last - 1) : -1;
        boolean ids =
                first > 0
                        && Numbers.isInteger(word.substring(first + 1, last))
                        && Numbers.isInteger(word.substring(last + 1));
        if (!ids) {
            return at;
        }
        // A host glued to what another writer had not finished: "-1node7:123:456".
        int host = 0;
        while (host < first && !Character.isLetter(word.charAt(host))) {
            host++;
        }
        return i + 1 + (host < first && isNumber(word, host) ? host : 0);
    }

    private static boolean isNumber(String word, int length) {
        return length > 0 && Numbers.real(word.substring(0, length)) != null;
    }
}

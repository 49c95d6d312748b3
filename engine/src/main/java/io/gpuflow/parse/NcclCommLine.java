package io.gpuflow.parse;

import java.util.List;

/**
 * Lines about a communicator: "comm 0x… rank 0 nranks 8 … Init START", "comm 0x… rank 0 nRanks 16
 * nNodes 2 localRanks 8 localRank 0 MNNVL 0", "MNNVL 1 cliqueId …".
 */
final class NcclCommLine {
    private NcclCommLine() {}

    static void read(String message, NcclLogLine log, int number, NcclInfoReport report) {
        List<Token> words = Token.in(message);
        if (message.startsWith("MNNVL ")
                && words.size() > 2
                && words.get(2).text().equals("cliqueId")) {
            comm(log.host() + " mnnvl", number, report).mnnvl = flag(words.get(1).text());
            return;
        }
        String id = after(words, "commId");
        String pointer = after(words, "comm");
        Integer ranks = count(after(words, "nranks"));
        ranks = ranks == null ? count(after(words, "nRanks")) : ranks;
        if (ranks == null || pointer == null && id == null) {
            return;
        }
        NcclInfoReport.Comm comm =
                comm(log.host() + " " + (pointer == null ? id : pointer), number, report);
        comm.ranks = ranks;
        Integer nodes = count(after(words, "nNodes"));
        comm.nodes = nodes == null ? comm.nodes : nodes;
        String mnnvl = after(words, "MNNVL");
        comm.mnnvl = mnnvl == null ? comm.mnnvl : flag(mnnvl);
        report.initStarts += message.endsWith("Init START") ? 1 : 0;
        report.initCompletes += message.endsWith("Init COMPLETE") ? 1 : 0;
    }

    private static NcclInfoReport.Comm comm(String key, int line, NcclInfoReport report) {
        return report.comms.computeIfAbsent(key, name -> new NcclInfoReport.Comm(line));
    }

    private static Boolean flag(String word) {
        return word.equals("1") ? Boolean.TRUE : word.equals("0") ? Boolean.FALSE : null;
    }

    private static Integer count(String word) {
        Long count = word == null || word.length() > 8 ? null : Numbers.integer(word);
        return count == null || count < 1 ? null : Integer.valueOf(count.intValue());
    }

    private static String after(List<Token> words, String name) {
        for (int i = 0; i + 1 < words.size(); i++) {
            if (words.get(i).text().equals(name)) {
                return words.get(i + 1).text();
            }
        }
        return null;
    }
}

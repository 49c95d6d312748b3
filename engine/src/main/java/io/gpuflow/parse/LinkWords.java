package io.gpuflow.parse;

import java.util.List;

/** The words of nvidia-smi topo -m, from the first version (SOC) to the newest. */
final class LinkWords implements DeviceTable.Words {
    @Override
    public boolean isGpu(String word) {
        return GpuLabel.is(word);
    }

    @Override
    public boolean isCell(String word) {
        return DeviceTable.isEllipsis(word) || isLink(word);
    }

    private static boolean isLink(String word) {
        return switch (word) {
            case "X", "x", "PIX", "PXB", "PHB", "NODE", "SYS", "SOC", "PSB", "C2C", "N/A" -> true;
            default -> LinkClassifier.nvlinks(word) > 0;
        };
    }

    @Override
    public String extra(List<Token> words, int at) {
        if (follows(words, at, "CPU", "Affinity")) {
            return "CPU Affinity";
        }
        if (follows(words, at, "NUMA", "Affinity")) {
            return "NUMA Affinity";
        }
        if (follows(words, at, "GPU", "NUMA", "ID")) {
            return "GPU NUMA ID";
        }
        return isCut(words, at) ? CUT : null;
    }

    /** The rest of the line is the beginning of a heading: "CPU Aff", "GPU NUMA", "NI". */
    private static boolean isCut(List<Token> words, int at) {
        StringBuilder rest = new StringBuilder();
        for (int i = at; i < words.size() && i < at + 4; i++) {
            rest.append(i == at ? "" : " ").append(words.get(i).text());
        }
        String[] headings = {"CPU Affinity", "NUMA Affinity", "GPU NUMA ID", "NIC"};
        for (String heading : headings) {
            if (at > 0 && heading.startsWith(rest.toString())) {
                return true;
            }
        }
        return false;
    }

    private static boolean follows(List<Token> words, int at, String... heading) {
        if (at + heading.length > words.size()) {
            return false;
        }
        for (int i = 0; i < heading.length; i++) {
            if (!words.get(at + i).text().equalsIgnoreCase(heading[i])) {
                return false;
            }
        }
        return true;
    }

    /** The label of today: SYS was called SOC up to driver 384. N/A is no label. */
    static String normal(String cell) {
        return switch (cell) {
            case "SOC" -> "SYS";
            case "x" -> "X";
            case "N/A", "...", "…" -> null;
            default -> cell;
        };
    }
}

package io.gpuflow.parse;

/** The words of the tables of amd-smi topology (rows named by PCI address) and rocm-smi (GPU0). */
final class AmdWords implements DeviceTable.Words {
    private static final int MAX_CELL = 24;

    @Override
    public boolean isGpu(String word) {
        return GpuLabel.is(word) || isBdf(word);
    }

    /** ENABLED, XGMI, 15, 64,32, 50000-50000, N/A … but no other device, heading or sentence. */
    @Override
    public boolean isCell(String word) {
        if (word.isEmpty() || word.length() > MAX_CELL || isGpu(word)) {
            return false;
        }
        if (word.charAt(0) >= '0' && word.charAt(0) <= '9') {
            return isNumbers(word);
        }
        return switch (word) {
            case "SELF",
                    "XGMI",
                    "PCIE",
                    "PCIe",
                    "XXXX",
                    "N/A",
                    "UNKNOWN",
                    "ENABLED",
                    "DISABLED",
                    "True",
                    "False",
                    "T",
                    "F",
                    "C",
                    "NC" ->
                    true;
            default -> false;
        };
    }

    private static boolean isNumbers(String word) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if ((c < '0' || c > '9') && c != ',' && c != '-' && c != '.') {
                return false;
            }
        }
        return true;
    }

    /** A PCI address such as 0000:c1:00.0. */
    static boolean isBdf(String word) {
        int length = word.length();
        return (length == 12 || length == 16)
                && word.charAt(length - 2) == '.'
                && word.charAt(length - 5) == ':'
                && word.charAt(length - 8) == ':'
                && isHex(word, 0, length - 8);
    }

    private static boolean isHex(String word, int from, int to) {
        for (int i = from; i < to; i++) {
            if (Character.digit(word.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }
}

package io.gpuflow.parse;

/** Labels of GPUs in tables: GPU0, GPU15. */
final class GpuLabel {
    private GpuLabel() {}

    static boolean is(String word) {
        return index(word) >= 0;
    }

    /** The number in the label, or −1. */
    static int index(String word) {
        if (word.length() < 4 || word.length() > 7 || !word.startsWith("GPU")) {
            return -1;
        }
        int index = 0;
        for (int i = 3; i < word.length(); i++) {
            int digit = word.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            index = index * 10 + digit;
        }
        return index;
    }
}

package io.gpuflow.parse;

/** Numbers as tools print them; anything else is null. */
final class Numbers {
    private Numbers() {}

    /** Digits with an optional minus sign, or null. */
    static Long integer(String word) {
        if (!isInteger(word)) {
            return null;
        }
        try {
            return Long.valueOf(word);
        } catch (NumberFormatException tooLong) {
            return null;
        }
    }

    static boolean isInteger(String word) {
        if (word == null || word.isEmpty() || word.length() > 20) {
            return false;
        }
        int start = word.charAt(0) == '-' ? 1 : 0;
        for (int i = start; i < word.length(); i++) {
            if (word.charAt(i) < '0' || word.charAt(i) > '9') {
                return false;
            }
        }
        return word.length() > start;
    }

    /** A decimal number such as 12.5 or 1.2e+06; null for nan and inf. */
    static Double real(String word) {
        if (word == null || word.isEmpty() || word.length() > 32) {
            return null;
        }
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if ((c < '0' || c > '9') && "+-.eE".indexOf(c) < 0) {
                return null;
            }
        }
        try {
            double number = Double.parseDouble(word);
            return Double.isFinite(number) ? number : null;
        } catch (NumberFormatException notOne) {
            return null;
        }
    }
}

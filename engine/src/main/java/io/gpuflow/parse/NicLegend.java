package io.gpuflow.parse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines "NIC0: mlx5_0" below the words NIC Legend. */
final class NicLegend {
    private NicLegend() {}

    static Map<String, String> in(List<String> lines) {
        Map<String, String> names = new LinkedHashMap<>();
        for (String line : lines) {
            List<Token> words = Token.in(line);
            for (int i = 0; i + 1 < words.size(); i++) {
                String label = words.get(i).text();
                if (label.endsWith(":") && isNic(label) && !isNic(words.get(i + 1).text())) {
                    names.putIfAbsent(
                            label.substring(0, label.length() - 1), words.get(i + 1).text());
                }
            }
        }
        return names;
    }

    /** NIC0, NIC1 … */
    static boolean isNic(String word) {
        return word.length() > 3 && word.startsWith("NIC") && Character.isDigit(word.charAt(3));
    }
}

package io.gpuflow.parse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows of a matrix as they are printed in JSON: the cells of a row, joined by blanks. */
final class Rows {
    private Rows() {}

    static Map<String, String> joined(Map<String, List<String>> rows) {
        Map<String, String> joined = new LinkedHashMap<>();
        for (Map.Entry<String, List<String>> row : rows.entrySet()) {
            joined.put(row.getKey(), String.join(" ", row.getValue()));
        }
        return joined;
    }
}

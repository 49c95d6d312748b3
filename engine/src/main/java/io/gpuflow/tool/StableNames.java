package io.gpuflow.tool;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** Gives each private thing a name that stays the same: host-1, host-2, user-1 … */
final class StableNames {
    private final Map<String, Map<String, String>> byKind = new HashMap<>();

    String of(String kind, String value) {
        return of(kind, value, number -> kind + "-" + number);
    }

    String of(String kind, String value, IntFunction<String> spelling) {
        Map<String, String> names = byKind.computeIfAbsent(kind, any -> new HashMap<>());
        String known = names.get(value);
        if (known == null) {
            known = spelling.apply(names.size() + 1);
            names.put(value, known);
        }
        return known;
    }
}

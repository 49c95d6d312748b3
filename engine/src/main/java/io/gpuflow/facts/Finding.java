package io.gpuflow.facts;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A rule's conclusion; its words are in the rule's rule.yaml.
 *
 * @param values what the words may name with ${{ name }}
 */
public record Finding(
        String rule, SortedMap<String, Object> values, List<Integer> ranks, List<String> hosts)
        implements Fact {
    public Finding(String rule, Map<String, ?> values) {
        this(rule, new TreeMap<>(values), List.of(), List.of());
    }

    public Finding(String rule, Map<String, ?> values, List<Integer> ranks) {
        this(rule, new TreeMap<>(values), ranks, List.of());
    }

    public Finding(String rule, Map<String, ?> values, List<Integer> ranks, List<String> hosts) {
        this(rule, new TreeMap<>(values), ranks, hosts);
    }
}

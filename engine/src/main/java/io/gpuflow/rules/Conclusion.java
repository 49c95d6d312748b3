package io.gpuflow.rules;

import io.gpuflow.facts.Finding;
import java.util.List;

/**
 * A finding and what its rule matched.
 *
 * @param matched facts, settings and findings in the order of the rule's conditions
 */
record Conclusion(Finding finding, List<Object> matched) {}

package io.gpuflow.flow;

import io.gpuflow.facts.Observed;
import java.util.List;

/**
 * What a step came to, for the steps after it.
 *
 * @param state null when the run was interrupted while it ran, and in a dry run for a step that
 *     would run
 * @param reason one line, with the values
 * @param facts what it brought, what was tried on it included
 * @param out for {@code steps.ID.out}: a map, or a list of maps for a matrix, or a {@link
 *     io.gpuflow.expr.Value.Unknown} with the reason
 */
record StepResult(State state, String reason, List<Observed> facts, Object out) {}

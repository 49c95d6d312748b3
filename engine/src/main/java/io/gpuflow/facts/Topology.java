package io.gpuflow.facts;

import java.util.List;

/**
 * How all GPUs of the machine are joined.
 *
 * @param groups GPU indexes joined by NVLink or Infinity Fabric, each a connected set of two or
 *     more, sorted
 */
public record Topology(LinkClass linkClass, int gpuCount, List<List<Integer>> groups)
        implements Fact {}

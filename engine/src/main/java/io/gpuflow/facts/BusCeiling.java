package io.gpuflow.facts;

import java.util.List;

/**
 * The bus bandwidth that the probed links allow, GB/s.
 *
 * @param because the arithmetic, a step a line, with units
 */
public record BusCeiling(String op, int ranks, double gbps, String transport, List<String> because)
        implements Fact {}

package io.gpuflow.facts;

import java.util.List;

/** The PyTorch that the chosen Python imports. */
public record Torch(
        String version,
        String cuda,
        String hip,
        Integer deviceCount,
        Boolean distributed,
        Boolean ncclAvailable,
        String ncclVersion,
        Boolean glooAvailable,
        List<String> archList,
        String python)
        implements Fact {}

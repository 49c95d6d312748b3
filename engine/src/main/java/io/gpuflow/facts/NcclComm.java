package io.gpuflow.facts;

/** What the INFO log of NCCL or RCCL says about a communicator. */
public record NcclComm(
        String library,
        String version,
        String network,
        Integer ranks,
        Integer nodes,
        Boolean nvls,
        Boolean mnnvl,
        Boolean gdr)
        implements Fact {}

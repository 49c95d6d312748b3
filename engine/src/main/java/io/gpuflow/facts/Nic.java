package io.gpuflow.facts;

/**
 * A network adapter port that may carry collectives.
 *
 * @param name mlx5_0, rdmap16s27, eth0 …
 * @param kind rdma or ethernet
 * @param state ACTIVE, DOWN, INIT …
 * @param rateGbps Gbit/s
 * @param linkLayer InfiniBand or Ethernet
 */
public record Nic(
        String name,
        String kind,
        String state,
        Double rateGbps,
        Integer numaNode,
        String linkLayer,
        String firmware)
        implements Fact {}

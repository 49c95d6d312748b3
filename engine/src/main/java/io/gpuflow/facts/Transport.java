package io.gpuflow.facts;

/**
 * How NCCL or RCCL connected two ranks, from its INFO log.
 *
 * @param via P2P/IPC, P2P/CUMEM, SHM/direct/direct, NET/IB/0/GDRDMA, NET/Socket/0 …
 */
public record Transport(int from, int to, String via) implements Fact {}

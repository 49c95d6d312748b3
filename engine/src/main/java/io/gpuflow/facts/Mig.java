package io.gpuflow.facts;

import java.util.List;

/**
 * MIG mode of one GPU and how many MIG devices it shows.
 *
 * @param uuids of its MIG devices, as nvidia-smi -L lists them; null when not known
 */
public record Mig(int gpu, Boolean enabled, Integer devices, List<String> uuids) implements Fact {}

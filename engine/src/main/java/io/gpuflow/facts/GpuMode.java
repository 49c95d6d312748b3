package io.gpuflow.facts;

/**
 * Modes of one GPU that decide who may use it and what the driver asks for.
 *
 * @param computeMode Default, Exclusive_Process or Prohibited, as nvidia-smi prints it
 * @param virtualization None, Pass-Through, VGPU …; null when the tool does not say
 * @param recoveryAction what the driver says is needed: None, Reset, Reboot, Drain P2P, Drain and
 *     Reset; null with drivers that do not report it
 * @param partition compute partition of an AMD GPU: SPX, DPX, QPX or CPX
 */
public record GpuMode(
        int gpu, String computeMode, String virtualization, String recoveryAction, String partition)
        implements Fact {}

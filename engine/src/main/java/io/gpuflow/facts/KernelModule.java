package io.gpuflow.facts;

/**
 * A kernel module that GPU jobs rest on: nvidia, nvidia_uvm, nvidia_peermem, amdgpu, mlx5_ib,
 * ib_umad …
 *
 * @param version null when the module does not tell one
 */
public record KernelModule(String name, boolean loaded, String version) implements Fact {}

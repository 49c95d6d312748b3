package io.gpuflow.facts;

import java.util.List;

/**
 * Whether we look from inside a container or VM, and whether that hides the hardware.
 *
 * @param kind none, docker, podman, kubernetes, apptainer, lxc, wsl or container
 * @param restricted true when devices, /sys or the PCI tree are hidden, so that topology must not
 *     be inferred
 * @param hints what told us, for instance "/.dockerenv exists"
 */
public record Container(String kind, Boolean restricted, List<String> hints) implements Fact {}

package io.gpuflow.facts;

import java.util.List;

/**
 * Whether we look from inside a container or VM, and whether that hides the hardware.
 *
 * @param kind none, docker, podman, kubernetes, apptainer, lxc, wsl or container; null when it
 *     can't be told
 * @param restricted true when devices, /sys or the PCI tree are hidden, so that topology must not
 *     be inferred; false when every known GPU is seen there; null when that can't be told
 * @param hints what told us, for instance "/.dockerenv exists"
 */
public record Container(String kind, Boolean restricted, List<String> hints) implements Fact {}

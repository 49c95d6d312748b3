package io.gpuflow.facts;

import java.util.regex.Pattern;

/**
 * Addresses that lead to no other machine: loopback, link-local, and the default networks of
 * docker, libvirt, podman, minikube and LXC.
 */
public final class VirtualAddress {
    private static final Pattern VIRTUAL =
            Pattern.compile(
                    "\\[?(?:fe80:|::1\\b|127\\.|169\\.254\\.|172\\.(?:1[7-9]|2\\d|3[01])\\.0\\.1\\b"
                            + "|172\\.17\\.|192\\.168\\.(?:122|49|99)\\.|10\\.88\\.0\\.|10\\.0\\.3\\.1\\b).*");

    private VirtualAddress() {}

    /** True for such an address, a port or interface may follow it. */
    public static boolean is(String address) {
        return VIRTUAL.matcher(address).matches();
    }

    /** True when an address is given and is one of another machine. */
    public static boolean isNot(String address) {
        return !address.isEmpty() && !is(address);
    }
}

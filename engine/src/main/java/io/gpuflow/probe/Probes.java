package io.gpuflow.probe;

import java.util.List;

/** The probes. To add one, add its class and a line here. */
final class Probes {
    private Probes() {}

    /** Those that can be asked at once; a source that stands first wins where two tell the same. */
    static List<Probe> all() {
        NvidiaSmi nvidiaSmi = new NvidiaSmi();
        return List.of(
                new NvidiaSmiQuery(nvidiaSmi),
                new NvidiaSmiCapability(nvidiaSmi),
                new NvidiaSmiList(nvidiaSmi),
                new NvidiaSmiTopology(nvidiaSmi),
                new NvidiaSmiPeers(nvidiaSmi),
                new NvidiaSmiNvLinks(nvidiaSmi),
                new AmdSmiProbe(),
                new AmdTopologyProbe(),
                new KernelModules(),
                new KernelSettings(),
                new KernelLogProbe(),
                new HostProbe(),
                new CpuProbe(),
                new NumaProbe(),
                new LimitsProbe(),
                new SharedMemoryProbe(),
                new CgroupProbe(),
                new DeviceNodes(),
                new FabricServices(),
                new RdmaDevices(),
                new IbstatProbe(),
                new IbvDevinfoProbe(),
                new Ethernet(),
                new AcsProbe(),
                new EnvironmentSettings(),
                new Libraries(),
                new TorchProbe());
    }

    /** Those that need to know what the others brought, in this order. */
    static List<FollowUp> followUps() {
        return List.of(
                new PciLinks(),
                new PciPresence(),
                new ContainerProbe(),
                new ImexProbe(),
                new VisibilityProbe());
    }
}

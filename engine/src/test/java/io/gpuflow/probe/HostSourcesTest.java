package io.gpuflow.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.DeviceNode;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.KernelEvent;
import io.gpuflow.facts.KernelModule;
import io.gpuflow.facts.KernelSetting;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Limit;
import io.gpuflow.facts.Nic;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieAcs;
import io.gpuflow.facts.Service;
import io.gpuflow.facts.Software;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One source each, as it answers on real machines and as it refuses. */
class HostSourcesTest {
    @Test
    void limitsOfAControlGroupVersionTwo() {
        FakeTools tools =
                new FakeTools()
                        .file("/proc/self/cgroup", "0::/kubepods.slice/pod1.slice/c1\n")
                        .file("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n")
                        .file("/sys/fs/cgroup/kubepods.slice/pod1.slice/c1/memory.max", "max\n")
                        .file(
                                "/sys/fs/cgroup/kubepods.slice/pod1.slice/memory.max",
                                "68719476736\n")
                        .file("/sys/fs/cgroup/kubepods.slice/memory.max", "1099511627776\n")
                        .file(
                                "/sys/fs/cgroup/kubepods.slice/pod1.slice/c1/cpu.max",
                                "250000 100000\n");
        List<Observed> facts = new CgroupProbe().ask(tools);
        assertEquals(68719476736L, limit(facts, "cgroup_memory"), "the tightest of all levels");
        assertEquals(2L, limit(facts, "cgroup_cpus"), "whole CPUs");
        assertEquals(-1L, limit(facts, "cgroup_pids"), "the controller is there and sets no limit");
    }

    @Test
    void limitsOfAControlGroupVersionOne() {
        FakeTools tools =
                new FakeTools()
                        .file(
                                "/proc/self/cgroup",
                                "9:pids:/docker/1\n4:memory:/docker/1\n2:cpu,cpuacct:/docker/1\n")
                        .file(
                                "/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                "9223372036854771712\n")
                        .file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n")
                        .file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
                        .file("/sys/fs/cgroup/pids/pids.max", "512\n");
        List<Observed> facts = new CgroupProbe().ask(tools);
        assertEquals(-1L, limit(facts, "cgroup_memory"));
        assertEquals(4L, limit(facts, "cgroup_cpus"));
        assertEquals(512L, limit(facts, "cgroup_pids"));
    }

    @Test
    void theKernelLogIsTakenFromWhereItMayBeRead() throws IOException {
        String journal = NvidiaSmiTest.sample("kernel-log/h100x8--nvswitch-journal.out");
        FakeTools tools =
                new FakeTools()
                        .exits(
                                "dmesg -T",
                                1,
                                "",
                                "dmesg: read kernel buffer failed: Operation not permitted\n")
                        .prints("journalctl -k -b -q -o short-iso -n 20000 --no-pager", journal);
        List<Observed> facts = new KernelLogProbe().ask(tools);
        assertTrue(
                facts.stream()
                        .anyMatch(
                                o -> o.fact() instanceof KernelEvent e && e.kind().equals("sxid")));
        assertTrue(facts.get(0).source().text().startsWith("journalctl"), facts.toString());
    }

    @Test
    void aKernelLogThatMayNotBeReadIsNotClean() {
        FakeTools tools =
                new FakeTools()
                        .exits(
                                "dmesg -T",
                                1,
                                "",
                                "dmesg: read kernel buffer failed: Operation not permitted\n")
                        .prints("journalctl -k -b -q -o short-iso -n 20000 --no-pager", "")
                        .exits("tail -n 20000 /var/log/kern.log", 1, "", "tail: cannot open\n");
        List<Observed> facts = new KernelLogProbe().ask(tools);
        assertEquals(1, facts.size());
        String why = SurveyTest.unknown(facts, "KernelEvent");
        assertTrue(why.contains("Operation not permitted") && why.contains("sudo dmesg"), why);
    }

    @Test
    void aCleanKernelLogIsKnown() throws IOException {
        FakeTools tools =
                new FakeTools()
                        .prints("dmesg -T", NvidiaSmiTest.sample("kernel-log/h200--clean.out"));
        assertEquals(new Known("KernelEvent"), new KernelLogProbe().ask(tools).get(0).fact());
    }

    @Test
    void theLogOfASandboxIsNotTheKernels() throws IOException {
        FakeTools tools =
                new FakeTools()
                        .prints("dmesg -T", NvidiaSmiTest.sample("kernel-log/sandbox--gvisor.out"));
        List<Observed> facts = new KernelLogProbe().ask(tools);
        assertTrue(SurveyTest.unknown(facts, "KernelEvent").contains("gVisor"), facts.toString());
    }

    @Test
    void servicesOfSystemd() throws IOException {
        String show =
                "systemctl show --property=Id,LoadState,ActiveState,SubState,Result"
                        + " nvidia-fabricmanager.service nvidia-imex.service nvidia-persistenced.service";
        FakeTools tools =
                new FakeTools()
                        .prints(
                                show,
                                NvidiaSmiTest.sample(
                                        "systemctl-show/hgx--fabric-manager-failed.out"))
                        .prints(
                                "nv-fabricmanager --version",
                                "Fabric Manager version is : 550.54.15\n");
        List<Service> services = services(new FabricServices().ask(tools));
        assertEquals(new Service("nvidia-fabricmanager", "failed", "550.54.15"), services.get(0));
        assertEquals("absent", services.get(1).state());
    }

    @Test
    void servicesWithoutSystemdAreLookedForAmongTheProcesses() {
        FakeTools tools =
                new FakeTools()
                        .prints("ps -e -o comm=", "init\nnv-fabricmanage\nnvidia-persiste\n");
        List<Service> services = services(new FabricServices().ask(tools));
        assertEquals("active", services.get(0).state());
        assertEquals("inactive", services.get(1).state());
        assertEquals("active", services.get(2).state());
    }

    @Test
    void aContainerDoesNotShowTheHostsServices() {
        FakeTools tools =
                new FakeTools().file("/.dockerenv", "").prints("ps -e -o comm=", "bash\nps\n");
        List<Observed> facts = new FabricServices().ask(tools);
        assertTrue(services(facts).isEmpty(), facts.toString());
        assertTrue(SurveyTest.unknown(facts, "Service").contains("on the host"));
    }

    @Test
    void acsNeedsRoot() throws IOException {
        FakeTools user =
                new FakeTools()
                        .prints(
                                "lspci -D -vvv",
                                NvidiaSmiTest.sample("lspci-acs/user--access-denied.out"));
        assertTrue(SurveyTest.unknown(new AcsProbe().ask(user), "PcieAcs").contains("root"));
        FakeTools root =
                new FakeTools()
                        .prints(
                                "lspci -D -vvv",
                                NvidiaSmiTest.sample("lspci-acs/epyc--root-port-redirects.out"));
        List<Observed> facts = new AcsProbe().ask(root);
        assertEquals(new PcieAcs("0000:40:01.1", true), facts.get(0).fact());
        assertEquals(new PcieAcs("0000:43:00.0", false), facts.get(1).fact());
    }

    @Test
    void adaptersOfSysAndOfTheToolsAreOne() throws InterruptedException, IOException {
        String port = "/sys/class/infiniband/mlx5_0/ports/1";
        FakeTools tools =
                new FakeTools()
                        .glob("/sys/class/infiniband/*", "/sys/class/infiniband/mlx5_0")
                        .glob("/sys/class/infiniband/mlx5_0/ports/*", port)
                        .file(port + "/state", "4: ACTIVE\n")
                        .file(port + "/rate", "400 Gb/sec (4X NDR)\n")
                        .file("/sys/class/infiniband/mlx5_0/device/numa_node", "-1\n")
                        .prints("ibstat", NvidiaSmiTest.sample("ibstat/h100x8--one-port-down.out"));
        List<Nic> nics =
                SurveyTest.ask(tools).stream()
                        .filter(o -> o.fact() instanceof Nic)
                        .map(o -> (Nic) o.fact())
                        .toList();
        assertEquals(
                new Nic("mlx5_0", "rdma", "ACTIVE", 400.0, null, "InfiniBand", "28.39.1002"),
                nics.get(0));
        assertEquals("DOWN", nics.get(1).state());
    }

    @Test
    void noAdapterIsAnAnswer() throws InterruptedException {
        List<Observed> facts = SurveyTest.ask(new FakeTools());
        assertTrue(facts.stream().anyMatch(o -> o.fact().equals(new Known("Nic"))));
        assertEquals("", SurveyTest.unknown(facts, "Nic"));
    }

    @Test
    void deviceFilesAndWhoMayOpenThem() {
        FakeTools tools =
                new FakeTools()
                        .glob("/dev/nvidia[0-9]*", "/dev/nvidia0")
                        .glob("/dev/nvidiactl", "/dev/nvidiactl")
                        .prints(
                                "find /dev/nvidia0 /dev/nvidiactl -maxdepth 0 -readable -writable",
                                "/dev/nvidiactl\n");
        List<Observed> facts = new DeviceNodes().ask(tools);
        assertTrue(has(facts, new DeviceNode("/dev/nvidia0", true, false)), facts.toString());
        assertTrue(has(facts, new DeviceNode("/dev/nvidiactl", true, true)), facts.toString());
        assertTrue(has(facts, new DeviceNode("/dev/kfd", false, null)), facts.toString());
    }

    @Test
    void modulesAndTheirVersions() {
        FakeTools tools =
                new FakeTools()
                        .file(
                                "/proc/modules",
                                "nvidia_uvm 4956160 0 - Live 0x0\nnvidia 1 2 a, Live 0x0\n")
                        .file("/sys/module/nvidia/version", "580.159.04\n");
        List<Observed> facts = new KernelModules().ask(tools);
        assertTrue(has(facts, new KernelModule("nvidia", true, "580.159.04")));
        assertTrue(has(facts, new KernelModule("nvidia_peermem", false, null)));
    }

    @Test
    void iommuModes() {
        FakeTools off = new FakeTools();
        assertTrue(has(new KernelSettings().ask(off), new KernelSetting("iommu", "off")));
        FakeTools through =
                new FakeTools()
                        .glob("/sys/class/iommu/*", "/sys/class/iommu/dmar0")
                        .file("/sys/kernel/iommu_groups/0/type", "identity\n");
        assertTrue(
                has(new KernelSettings().ask(through), new KernelSetting("iommu", "passthrough")));
        FakeTools translated =
                new FakeTools()
                        .glob("/sys/class/iommu/*", "/sys/class/iommu/dmar0")
                        .file("/sys/kernel/iommu_groups/0/type", "DMA-FQ\n");
        assertTrue(
                has(
                        new KernelSettings().ask(translated),
                        new KernelSetting("iommu", "translated")));
        FakeTools old =
                new FakeTools()
                        .glob("/sys/class/iommu/*", "/sys/class/iommu/ivhd0")
                        .file("/proc/cmdline", "ro quiet iommu=pt\n");
        assertTrue(has(new KernelSettings().ask(old), new KernelSetting("iommu", "passthrough")));
    }

    @Test
    void theHost() {
        FakeTools tools =
                new FakeTools()
                        .file("/proc/sys/kernel/hostname", "node1\n")
                        .file("/proc/meminfo", "MemTotal:       1056316132 kB\nMemFree: 1 kB\n")
                        .file("/proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-31,64,66-67\n");
        Host host = (Host) new HostProbe().ask(tools).get(0).fact();
        assertEquals(35, host.cpus());
        assertEquals(1056316132L << 10, host.memoryBytes());
        assertEquals("node1", host.name());
    }

    @Test
    void twoCopiesOfNccl() {
        FakeTools tools =
                new FakeTools()
                        .env("LD_LIBRARY_PATH", "/opt/nccl/lib:relative:/usr/lib64")
                        .glob("/opt/nccl/lib/libnccl.so.*.*", "/opt/nccl/lib/libnccl.so.2.18.3")
                        .glob("/usr/lib64/libnccl.so.*.*", "/usr/lib64/libnccl.so.2.21.5")
                        .file(
                                "/usr/local/cuda/version.json",
                                "{\"cuda\" : {\"name\" : \"CUDA SDK\", \"version\" : \"13.0.2\"}, \"x\": {}}");
        List<Observed> facts = new Libraries().ask(tools);
        assertTrue(has(facts, new Software("nccl", "2.18.3", "/opt/nccl/lib/libnccl.so.2.18.3")));
        assertTrue(has(facts, new Software("nccl", "2.21.5", "/usr/lib64/libnccl.so.2.21.5")));
        assertTrue(
                has(facts, new Software("cuda-toolkit", "13.0.2", "/usr/local/cuda/version.json")));
        assertFalse(facts.toString().contains("relative"));
    }

    private static boolean has(List<Observed> facts, io.gpuflow.facts.Fact fact) {
        return facts.stream().anyMatch(o -> o.fact().equals(fact));
    }

    private static long limit(List<Observed> facts, String name) {
        return facts.stream()
                .filter(o -> o.fact() instanceof Limit l && l.name().equals(name))
                .map(o -> ((Limit) o.fact()).value())
                .findFirst()
                .orElseThrow();
    }

    private static List<Service> services(List<Observed> facts) {
        return facts.stream()
                .filter(o -> o.fact() instanceof Service)
                .map(o -> (Service) o.fact())
                .toList();
    }
}

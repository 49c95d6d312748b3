package io.gpuflow.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Container;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuPair;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A container that hides the hardware leaves it unknown; nothing is concluded from its absence. */
class ContainerTest {
    @ParameterizedTest
    @CsvSource({
        "/.dockerenv,'',docker",
        "/run/.containerenv,engine=podman,podman",
        "/proc/1/cgroup,0::/kubepods/burstable/pod1,kubernetes",
        "/proc/1/cgroup,4:memory:/lxc/box,lxc",
        "/proc/1/cgroup,0::/system.slice/containerd.service/1,container",
        "/proc/version,Linux version 5.15.90.1-microsoft-standard-WSL2,wsl",
        "/proc/version,Linux version 4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016,container",
        "/proc/1/cgroup,0::/init.scope,none",
    })
    void kinds(String file, String text, String kind) {
        Container c = container(new FakeTools().file(file, text == null ? "" : text), List.of());
        assertEquals(kind, c.kind());
    }

    @Test
    void kubernetesTellsItselfInTheEnvironment() {
        FakeTools tools =
                new FakeTools().env("KUBERNETES_SERVICE_HOST", "10.0.0.1").file("/.dockerenv", "");
        assertEquals("kubernetes", container(tools, List.of()).kind());
    }

    @Test
    void gpusThatSysDoesNotShowAreHidden() {
        FakeTools tools =
                new FakeTools()
                        .file("/.dockerenv", "")
                        .glob("/sys/bus/pci/devices/*", "/sys/bus/pci/devices/0000:00:01.0");
        Container c = container(tools, List.of(gpu(0, "0000:1b:00.0")));
        assertEquals(true, c.restricted());
        assertTrue(c.hints().toString().contains("0000:1b:00.0"), c.toString());
    }

    @Test
    void gpusThatSysShowsAreNot() {
        FakeTools tools =
                new FakeTools()
                        .file("/.dockerenv", "")
                        .glob("/sys/bus/pci/devices/*", "/sys/bus/pci/devices/0000:1b:00.0");
        assertEquals(false, container(tools, List.of(gpu(0, "0000:1b:00.0"))).restricted());
    }

    @Test
    void deviceFilesWithoutAToolAreHiddenGpus() throws InterruptedException {
        FakeTools tools =
                new FakeTools()
                        .file("/.dockerenv", "")
                        .glob("/dev/nvidia[0-9]*", "/dev/nvidia0", "/dev/nvidia1")
                        .exits(
                                "nvidia-smi -L",
                                255,
                                "Failed to initialize NVML: Unknown Error\n",
                                "");
        List<Observed> facts = SurveyTest.ask(tools);
        Container c =
                facts.stream()
                        .filter(o -> o.fact() instanceof Container)
                        .map(o -> (Container) o.fact())
                        .findFirst()
                        .orElseThrow();
        assertEquals(true, c.restricted());
        assertTrue(facts.stream().noneMatch(o -> o.fact() instanceof Topology));
    }

    @Test
    void pcieOnlySeenFromARestrictedContainerIsNoTopology() {
        List<Observed> facts =
                Reconciled.of(
                        List.of(
                                observed(new Container("docker", true, List.of())),
                                observed(new Topology(LinkClass.PCIE_ONLY, 2, List.of())),
                                observed(new GpuPair(0, 1, "PHB", null, null))));
        assertTrue(facts.stream().noneMatch(o -> o.fact() instanceof Topology), facts.toString());
        assertTrue(SurveyTest.unknown(facts, "Topology").contains("container"), facts.toString());
    }

    @Test
    void nvlinkSeenFromARestrictedContainerIsReal() {
        Topology nvlink = new Topology(LinkClass.NVSWITCH_ALL_TO_ALL, 2, List.of(List.of(0, 1)));
        List<Observed> facts =
                Reconciled.of(
                        List.of(
                                observed(new Container("docker", true, List.of())),
                                observed(nvlink)));
        assertTrue(facts.stream().anyMatch(o -> o.fact().equals(nvlink)));
    }

    private static Container container(FakeTools tools, List<Observed> known) {
        return (Container) new ContainerProbe().ask(tools, known).get(0).fact();
    }

    private static Observed gpu(int index, String busId) {
        return observed(new Gpu(index, "nvidia", null, null, busId, null, null, null));
    }

    private static Observed observed(io.gpuflow.facts.Fact fact) {
        return new Observed(fact, Source.of("test"));
    }
}

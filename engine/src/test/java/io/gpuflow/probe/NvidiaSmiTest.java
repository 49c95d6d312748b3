package io.gpuflow.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Observed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The driver's own words and the next step stand in the reason; nothing is inferred. */
class NvidiaSmiTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure"
                        + " that the latest NVIDIA driver is installed and running.|9|modprobe nvidia",
                "Failed to initialize NVML: Driver/library version mismatch|18|reboot",
                "Failed to initialize NVML: Unknown Error|255|restart the container",
                "Failed to initialize NVML: Insufficient Permissions|4|/dev/nvidia*",
                "No devices were found|6|--gpus all",
                "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.|12|NVIDIA runtime",
                "Unable to determine the device handle for GPU 0000:1B:00.0: Unknown Error|255|Xid",
                "Unable to determine the device handle for GPU0: 0000:1B:00.0: GPU is lost. Reboot the"
                        + " system to recover this GPU|15|Xid",
                "GPU access blocked by the operating system|1|WSL",
            })
    void driverErrors(String words, int exit, String next) throws InterruptedException {
        FakeTools tools = new FakeTools();
        for (String arguments : List.of("-L", "-q -x", "topo -m", "nvlink -s", "nvlink -e")) {
            tools.exits("nvidia-smi " + arguments, exit, words + "\n", "");
        }
        List<Observed> facts = SurveyTest.ask(tools);
        for (String what : List.of("Gpu", "Topology", "GpuFabric")) {
            String why = SurveyTest.unknown(facts, what);
            assertTrue(why.contains(words.substring(0, 20)), why);
            assertTrue(why.contains("Next: ") && why.contains(next), why);
        }
        assertTrue(facts.stream().noneMatch(o -> o.fact() instanceof Gpu), facts.toString());
    }

    @Test
    void factsOfTheQueryAndTheCapabilityBecomeOne() throws InterruptedException, IOException {
        FakeTools tools =
                new FakeTools()
                        .prints("nvidia-smi -L", "GPU 0: NVIDIA H200\n")
                        .prints("nvidia-smi -q -x", sample("nvidia-smi-xml/h200x2.out"))
                        .prints(
                                "nvidia-smi --query-gpu=index,compute_cap --format=csv",
                                "index, compute_cap\n0, 9.0\n1, 9.0\n");
        List<Gpu> gpus = gpus(SurveyTest.ask(tools));
        assertEquals(2, gpus.size());
        assertEquals("9.0", gpus.get(1).computeCapability());
        assertEquals("NVIDIA H200", gpus.get(1).model());
    }

    @Test
    void anOldDriverDoesNotKnowTheCapability() throws InterruptedException, IOException {
        FakeTools tools =
                new FakeTools()
                        .prints("nvidia-smi -L", "GPU 0: Tesla V100\n")
                        .prints(
                                "nvidia-smi -q -x",
                                sample("nvidia-smi-xml/v100--retired-pages-old-driver.out"))
                        .exits(
                                "nvidia-smi --query-gpu=index,compute_cap --format=csv",
                                2,
                                "Field \"compute_cap\" is not a valid field to query.\n",
                                "");
        List<Gpu> gpus = gpus(SurveyTest.ask(tools));
        assertEquals(2, gpus.size());
        assertEquals(null, gpus.get(0).computeCapability());
    }

    @Test
    void aDamagedInfoRomDoesNotHideTheRest() throws InterruptedException, IOException {
        String warning = "\nWARNING: infoROM is corrupted at gpu 0000:00:06.0\n";
        FakeTools tools =
                new FakeTools()
                        .prints("nvidia-smi -L", "GPU 0: NVIDIA H200\n")
                        .exits(
                                "nvidia-smi -q -x",
                                14,
                                sample("nvidia-smi-xml/h200x2.out") + warning,
                                "");
        assertEquals(2, gpus(SurveyTest.ask(tools)).size());
    }

    @Test
    void aGpuWithoutNvLinkHasNone() throws InterruptedException {
        String list = "GPU 0: NVIDIA L40S (UUID: GPU-aaaaaaaa-0000-0000-0000-000000000001)\n";
        FakeTools tools =
                new FakeTools()
                        .prints("nvidia-smi -L", list)
                        .prints("nvidia-smi nvlink -s", list)
                        .prints("nvidia-smi nvlink -e", list);
        List<Observed> facts = SurveyTest.ask(tools);
        assertEquals("", SurveyTest.unknown(facts, "NvLinkState"));
        assertTrue(facts.stream().anyMatch(o -> o.fact().equals(new Known("NvLinkState"))));
        assertEquals(1, gpus(facts).size(), "-L alone names it");
    }

    static List<Gpu> gpus(List<Observed> facts) {
        return facts.stream()
                .filter(o -> o.fact() instanceof Gpu)
                .map(o -> (Gpu) o.fact())
                .toList();
    }

    static String sample(String name) throws IOException {
        return Files.readString(Path.of("engine/samples").resolve(name));
    }
}

package io.gpuflow.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.HipOrder;
import io.gpuflow.facts.Mig;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import io.gpuflow.facts.Visibility;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a visibility variable leaves is what CUDA and HIP make of it, mistakes included. */
class VisibilityTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,1,2,3|[0, 1, 2, 3]",
                "2,0|[2, 0]",
                " 1 , 3 |[1, 3]",
                "0,9,1|[0]", // the first invalid entry ends the list
                "-1|[]",
                "1,-1,2|[1]",
                "''|[]",
                "none|[]",
                "0,0|[]", // an entry given twice empties it
                "1gpu2|[1]", // as strtoul reads it
                "0,,1|[0]",
                "GPU-bbbb|[1]",
                "GPU-cccc-3,GPU-aaaa|[2, 0]",
                "GPU-|[]", // fits more than one
                "GPU-aaaa,GPU-zzzz,GPU-bbbb|[0]",
                "GPU-aaaa,1|[0]",
                "99999999999999|[]",
            })
    void cuda(String value, String physical) {
        List<Observed> facts = ask("CUDA_VISIBLE_DEVICES", value, gpus("nvidia", 4));
        assertEquals(physical, visibility(facts).physical().toString());
    }

    @Test
    void withoutVariableThereIsNothingToSay() {
        assertEquals(List.of(), new VisibilityProbe().ask(new FakeTools(), gpus("nvidia", 4)));
        assertEquals(List.of(), new VisibilityProbe().ask(new FakeTools(), gpus("amd", 4)));
    }

    @Test
    void migDevicesAreNotGuessed() {
        List<Observed> gpus = gpus("nvidia", 2);
        gpus.add(observed(new Mig(0, true, 7, null)));
        List<Observed> facts = ask("CUDA_VISIBLE_DEVICES", "0", gpus);
        assertNull(visibility(facts).physical());
        assertTrue(facts.stream().anyMatch(o -> o.fact() instanceof Unknown), facts.toString());
        String uuid = "MIG-11111111-2222-3333-4444-555555555555";
        assertNull(visibility(ask("CUDA_VISIBLE_DEVICES", uuid, gpus("nvidia", 2))).physical());
    }

    @Test
    void aMigDeviceIsAPartOfItsGpu() {
        List<Observed> gpus = gpus("nvidia", 2);
        gpus.add(observed(new Mig(0, true, 1, List.of("MIG-1111"))));
        gpus.add(observed(new Mig(1, true, 2, List.of("MIG-2222", "MIG-2333"))));
        for (String value : List.of("MIG-2222", "MIG-2333,MIG-1111", "MIG-2", " MIG-2333 ")) {
            List<Observed> facts = ask("CUDA_VISIBLE_DEVICES", value, gpus);
            assertEquals(List.of(1), visibility(facts).physical(), value);
            assertEquals(1, facts.size());
        }
        String old = "MIG-" + ((Gpu) gpus.get(1).fact()).uuid() + "/3/0";
        assertEquals(List.of(1), visibility(ask("CUDA_VISIBLE_DEVICES", old, gpus)).physical());
        assertNull(visibility(ask("CUDA_VISIBLE_DEVICES", "MIG-", gpus)).physical());
        assertNull(visibility(ask("CUDA_VISIBLE_DEVICES", "MIG-9", gpus)).physical());
    }

    @Test
    void differentModelsAreNumberedByCudaItself() {
        List<Observed> gpus = gpus("nvidia", 1);
        gpus.add(observed(new Gpu(1, "nvidia", "T400", "GPU-x", null, null, null, null)));
        assertNull(visibility(ask("CUDA_VISIBLE_DEVICES", "0", gpus)).physical());
        FakeTools byBus =
                new FakeTools()
                        .env("CUDA_VISIBLE_DEVICES", "1")
                        .env("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
        assertEquals(List.of(1), visibility(new VisibilityProbe().ask(byBus, gpus)).physical());
    }

    @Test
    void unknownGpusStayUnknown() {
        List<Observed> facts = ask("CUDA_VISIBLE_DEVICES", "0,1", List.of());
        assertNull(visibility(facts).physical());
    }

    @Test
    void hipCountsWhatRocrLeaves() {
        FakeTools tools =
                new FakeTools()
                        .env("ROCR_VISIBLE_DEVICES", "2,3")
                        .env("HIP_VISIBLE_DEVICES", "1,0");
        Visibility both = visibility(new VisibilityProbe().ask(tools, gpus("amd", 4)));
        assertEquals(List.of(3, 2), both.physical());
        assertEquals("ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES", both.variable());
    }

    @Test
    void hipHonoursCudasVariable() {
        List<Observed> facts = ask("CUDA_VISIBLE_DEVICES", "3", gpus("amd", 4));
        assertEquals(List.of(3), visibility(facts).physical());
    }

    @Test
    void hipsOwnOrderCounts() {
        List<Observed> gpus = gpus("amd", 3);
        gpus.add(observed(new HipOrder(List.of(2, 0, 1))));
        assertEquals(List.of(0), visibility(ask("HIP_VISIBLE_DEVICES", "1", gpus)).physical());
        Visibility own = visibility(new VisibilityProbe().ask(new FakeTools(), gpus));
        assertEquals(List.of(2, 0, 1), own.physical());
    }

    private static List<Observed> ask(String variable, String value, List<Observed> gpus) {
        return new VisibilityProbe().ask(new FakeTools().env(variable, value), gpus);
    }

    private static Visibility visibility(List<Observed> facts) {
        return (Visibility) facts.get(0).fact();
    }

    private static List<Observed> gpus(String vendor, int count) {
        List<Observed> gpus = new ArrayList<>();
        String letters = "abcd";
        for (int i = 0; i < count; i++) {
            String uuid = "GPU-" + letters.substring(i, i + 1).repeat(4) + "-" + (i + 1);
            gpus.add(observed(new Gpu(i, vendor, "model", uuid, null, null, null, null)));
        }
        return gpus;
    }

    private static Observed observed(io.gpuflow.facts.Fact fact) {
        return new Observed(fact, Source.of("test"));
    }
}

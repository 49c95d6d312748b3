package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepKeyTest {
    private static final StepKey KEY =
            new StepKey(
                    "t",
                    Map.of("with.op", "1", "env.NCCL_ALGO", "2"),
                    Map.of("Gpu", "3"),
                    Map.of("driver", "550.54"));

    @Test
    void theSameKeyHasNoDifference() {
        assertEquals(List.of(), KEY.differences(KEY));
    }

    @Test
    void eachDifferenceIsNamed() {
        StepKey now =
                new StepKey(
                        "u",
                        Map.of("with.op", "9"),
                        Map.of("Gpu", "4", "Torch", "5"),
                        Map.of("driver", "570.1", "torch", "2.9"));
        assertEquals(
                List.of(
                        "its text changed",
                        "input env.NCCL_ALGO, with.op changed",
                        "driver changed from 550.54 to 570.1",
                        "torch is new (2.9)",
                        "facts changed: Gpu, Torch"),
                now.differences(KEY));
        assertEquals(
                List.of("driver is gone (was 550.54)"),
                new StepKey("t", KEY.inputs(), KEY.facts(), Map.of()).differences(KEY));
    }
}

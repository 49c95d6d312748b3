package io.gpuflow.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Torch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The first Python that imports torch is the one; when none does, each says why. */
class TorchProbeTest {
    private static final String NONE =
            "gpuflow-torch {\"python\": \"p\", \"torch\": null, \"problem\": \"ModuleNotFoundError: No"
                    + " module named 'torch'\"}\n";
    private static final String GOOD =
            "gpuflow-torch {\"python\": \"/usr/bin/python3\", \"torch\": \"2.6.0\", \"device_count\": 2}\n";

    @Test
    void theFirstThatImportsIt() {
        FakeTools tools =
                new FakeTools()
                        .env("VIRTUAL_ENV", "/venv")
                        .prints("/venv/bin/python -c", NONE)
                        .hangs("python3 -c")
                        .prints("/usr/bin/python3 -c", GOOD);
        List<Observed> facts = new TorchProbe().ask(tools);
        assertEquals("2.6.0", ((Torch) facts.get(0).fact()).version());
        assertEquals("/usr/bin/python3, importing torch", facts.get(0).source().text());
    }

    @Test
    void theChosenOneAlone() {
        FakeTools tools =
                new FakeTools()
                        .env("GPUFLOW_PYTHON", "/opt/py")
                        .prints("/opt/py -c", NONE)
                        .prints("python3 -c", GOOD);
        List<Observed> facts = new TorchProbe().ask(tools);
        String why = SurveyTest.unknown(facts, "Torch");
        assertTrue(why.contains("/opt/py: ModuleNotFoundError"), why);
        assertEquals(1, tools.asked.size());
    }

    @Test
    void aBrokenTorchIsUnknownInItsOwnWords() {
        FakeTools tools =
                new FakeTools()
                        .env("GPUFLOW_PYTHON", "py")
                        .prints(
                                "py -c",
                                "gpuflow-torch {\"python\": \"py\", \"torch\": null, \"problem\": \"ImportError:"
                                        + " libcudart.so.12: cannot open shared object file\"}\n");
        String why = SurveyTest.unknown(new TorchProbe().ask(tools), "Torch");
        assertTrue(why.contains("libcudart.so.12"), why);
    }

    @Test
    void aCrashIsUnknown() {
        FakeTools tools =
                new FakeTools()
                        .env("GPUFLOW_PYTHON", "py")
                        .exits("py -c", 139, "", "Fatal Python error: Segmentation fault\n");
        String why = SurveyTest.unknown(new TorchProbe().ask(tools), "Torch");
        assertTrue(why.contains("Segmentation fault") && !why.contains("import json"), why);
    }
}

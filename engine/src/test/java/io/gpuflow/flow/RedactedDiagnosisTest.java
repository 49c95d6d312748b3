package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Verdict;
import io.gpuflow.rules.ShippedRules;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactedDiagnosisTest {
    private static final Path LOGS =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples", "logs");

    /** The remedy is to unset a variable: its value is none. */
    @Test
    void aVariableToUnsetStaysOne() {
        Diagnosis plain =
                Diagnosis.of(List.of(LOGS.resolve("h200x2--ifname.log")), ShippedRules.load());
        Diagnosis redacted = RedactedDiagnosis.of(List.of(plain)).get(0);
        Map<String, String> env = env(plain.verdicts().get(0));
        assertTrue(env.containsValue(null), env::toString);
        assertEquals(env, env(redacted.verdicts().get(0)));
        assertFalse(redacted.verdicts().get(0).hosts().contains("vm"));
    }

    private static Map<String, String> env(Verdict verdict) {
        return verdict.fixes().get(0).env();
    }
}

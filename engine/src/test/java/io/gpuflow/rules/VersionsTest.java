package io.gpuflow.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class VersionsTest {
    @Test
    void numbersAreComparedAsNumbers() {
        assertTrue(Versions.older("2.9.6", "2.10"));
        assertFalse(Versions.older("2.10.1", "2.10"));
        assertTrue(Versions.older("2.27.7+cuda13", "2.28"));
        assertTrue(Versions.older("7.0.2-56", "7.1.1"));
        assertFalse(Versions.older("7.1.1", "7.1.1"));
    }

    @Test
    void whatIsNoVersionIsNotOlder() {
        assertFalse(Versions.older(null, "2.0"));
        assertFalse(Versions.older("unknown", "2.0"));
        assertFalse(Versions.older("", "2.0"));
        assertEquals(-1, Versions.major("none"));
    }

    @Test
    void codeForGpus() {
        List<String> hopper = List.of("sm_75", "sm_80", "sm_86", "sm_90");
        assertFalse(GpuArchs.lacks(hopper, "9.0"));
        assertFalse(GpuArchs.lacks(hopper, "8.9"));
        assertTrue(GpuArchs.lacks(hopper, "10.0"));
        assertTrue(GpuArchs.lacks(hopper, "7.0"));
        assertFalse(GpuArchs.lacks(List.of("sm_80", "compute_80"), "12.0"));
        assertFalse(GpuArchs.lacks(List.of("sm_90a"), "9.0"));
        assertTrue(GpuArchs.lacks(List.of("sm_120"), "10.0"));
        assertTrue(GpuArchs.lacks(List.of("gfx90a", "gfx942"), "gfx950"));
        assertFalse(GpuArchs.lacks(List.of("gfx942:sramecc+:xnack-"), "gfx942:sramecc+"));
    }

    @Test
    void whatIsNotKnownLacksNothing() {
        assertFalse(GpuArchs.lacks(null, "9.0"));
        assertFalse(GpuArchs.lacks(List.of(), "9.0"));
        assertFalse(GpuArchs.lacks(List.of("sm_90"), null));
        assertFalse(GpuArchs.lacks(List.of("something"), "9.0"));
    }
}

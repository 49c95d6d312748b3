package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final String CHANGE = "NCCL_P2P_DISABLE=1";
    private static final Measurement HUNG =
            new Measurement(false, null, "GB/s", "all_reduce", "hung for 120 s");
    private static final Measurement UNTOLD =
            new Measurement(null, null, null, null, "torchrun is not installed");

    @Test
    void aHangThatGoesAndComesBackIsConfirmed() {
        Comparison c = Comparison.of(CHANGE, HUNG, busbw(27.04), HUNG, 339.0);
        assertEquals("confirmed", c.outcome());
        assertEquals(
                "works with NCCL_P2P_DISABLE=1, at 27 of 339 GB/s; as it stands: hung for 120 s,"
                        + " twice",
                c.says());
        assertNull(c.before());
        assertEquals(27.04, c.after());
        assertEquals("GB/s", c.unit());
    }

    @Test
    void withoutTheRepetitionItSaysSo() {
        Comparison c = Comparison.of(CHANGE, HUNG, busbw(27), null, null);
        assertEquals("confirmed", c.outcome());
        assertEquals(
                "works with NCCL_P2P_DISABLE=1, at 27 GB/s; as it stands: hung for 120 s (tried"
                        + " once: the budget is used up)",
                c.says());
    }

    @Test
    void aHangThatWentAwayByItselfProvesNothing() {
        Comparison c = Comparison.of(CHANGE, HUNG, busbw(27), busbw(339), 339.0);
        assertEquals("inconclusive", c.outcome());
    }

    @Test
    void aHangThatStaysIsRefuted() {
        assertEquals("refuted", Comparison.of(CHANGE, HUNG, HUNG, null, null).outcome());
    }

    @Test
    void aChangeThatBreaksWhatWorkedIsRefuted() {
        Comparison c = Comparison.of(CHANGE, busbw(300), HUNG, null, null);
        assertEquals("refuted", c.outcome());
        assertEquals("with NCCL_P2P_DISABLE=1 it does not work at all: hung for 120 s", c.says());
    }

    @Test
    void aToolThatCouldNotRunProvesNothing() {
        assertEquals("inconclusive", Comparison.of(CHANGE, HUNG, UNTOLD, null, null).outcome());
        assertEquals(
                "inconclusive", Comparison.of(CHANGE, HUNG, busbw(27), UNTOLD, null).outcome());
        assertEquals("inconclusive", Comparison.of(CHANGE, UNTOLD, HUNG, null, null).outcome());
    }

    @Test
    void aGainOfTwelvefoldIsConfirmed() {
        Comparison c =
                Comparison.of("NCCL_P2P_DISABLE unset", busbw(27), busbw(339), busbw(27.5), null);
        assertEquals("confirmed", c.outcome());
        assertEquals("339 GB/s with NCCL_P2P_DISABLE unset, 27 and 27.5 GB/s without", c.says());
        assertEquals(27.5, c.before());
        assertEquals(339, c.after());
    }

    @Test
    void aGainWithinTheScatterIsNot() {
        assertEquals(
                "inconclusive",
                Comparison.of(CHANGE, busbw(300), busbw(340), busbw(250), null).outcome());
        assertEquals(
                "refuted",
                Comparison.of(CHANGE, busbw(338), busbw(341), busbw(339), null).outcome());
        assertEquals(
                "refuted",
                Comparison.of(CHANGE, busbw(338), busbw(27), busbw(339), null).outcome());
        assertEquals(
                "refuted", Comparison.of(CHANGE, busbw(338), busbw(340), null, null).outcome());
    }

    @Test
    void aBaselineThatFailsTheSecondTimeProvesNothing() {
        assertEquals(
                "inconclusive", Comparison.of(CHANGE, busbw(27), busbw(339), HUNG, null).outcome());
    }

    @Test
    void nothingToCompareIsInconclusive() {
        Measurement zero = busbw(0);
        assertEquals("inconclusive", Comparison.of(CHANGE, zero, busbw(3), zero, null).outcome());
        Measurement smoke = new Measurement(true, 14.2, "s", null, "finished");
        assertEquals("inconclusive", Comparison.of(CHANGE, smoke, smoke, smoke, null).outcome());
    }

    @Test
    void aSmokeTestThatFinishesIsConfirmedWithItsTime() {
        Measurement smoke = new Measurement(true, 14.21, "s", null, "finished");
        Measurement hung = new Measurement(false, 120.0, "s", null, "hung in first-collective");
        Comparison c = Comparison.of(CHANGE, hung, smoke, hung, 339.0);
        assertEquals("confirmed", c.outcome());
        assertEquals(
                "works with NCCL_P2P_DISABLE=1 in 14.2 s; as it stands: hung in first-collective,"
                        + " twice",
                c.says());
    }

    @Test
    void numbersHaveThreeDigits() {
        assertEquals("339", Comparison.round(338.97));
        assertEquals("27", Comparison.round(27.04));
        assertEquals("27.1", Comparison.round(27.06));
        assertEquals("0.5", Comparison.round(0.5));
        assertEquals("100", Comparison.round(100));
    }

    private static Measurement busbw(double value) {
        return new Measurement(true, value, "GB/s", "all_reduce", "ran");
    }
}

package io.gpuflow.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words of a strategy, and what they mean on so many GPUs. */
class StrategyTest {
    @ParameterizedTest
    @CsvSource({
        "single, 1, single, 1, 1, 1, 1, 1",
        "ddp, 8, ddp, 8, 1, 1, 1, 1",
        "fsdp2, 8, fsdp2, 8, 8, 1, 1, 1",
        "fsdp2-noreshard, 2, fsdp2-no-reshard, 2, 2, 1, 1, 1",
        "hsdp8, 16, hsdp, 16, 8, 1, 1, 1",
        "zero3-cpu, 4, zero3-cpu, 4, 4, 1, 1, 1",
        "zero2-optimizer-cpu, 4, zero2-optimizer-cpu, 4, 4, 1, 1, 1",
        "tp, 8, tp, 1, 1, 8, 1, 1",
        "tp4+fsdp2, 16, tp+fsdp2, 4, 4, 4, 1, 1",
        "TP2+SP+PP4, 16, tp+pp+ddp, 2, 1, 2, 4, 1",
        "cp2+fsdp2, 8, cp+fsdp2, 4, 4, 1, 1, 2"
    })
    void understood(String words, int gpus, String name, int dp, int shard, int tp, int pp, int cp)
            throws BadModel {
        Layout l = Strategy.layout(words, gpus, 1);
        assertEquals(name, l.strategy());
        assertEquals(l, Strategy.layout(l.option(), gpus, 1));
        assertEquals(gpus, l.world());
        assertEquals(dp, l.dp());
        assertEquals(shard, l.shard());
        assertEquals(tp, l.tp());
        assertEquals(pp, l.pp());
        assertEquals(cp, l.cp());
    }

    @ParameterizedTest
    @CsvSource({
        "magic, 8, there is no magic",
        "single, 8, single is one GPU",
        "tp3+ddp, 8, do not divide 8 GPUs",
        "tp+ddp, 8, how many ranks for tp?",
        "tp99999999, 8, ranks cannot be",
        "tp16, 8, ranks cannot be",
        "hsdp3, 8, do not divide 8",
        "+, 8, there is no"
    })
    void refused(String words, int gpus, String says) {
        BadModel e = assertThrows(BadModel.class, () -> Strategy.layout(words, gpus, 1));
        assertTrue(e.getMessage().contains(says), e.getMessage());
    }
}

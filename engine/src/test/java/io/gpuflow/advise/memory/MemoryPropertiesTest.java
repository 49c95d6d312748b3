package io.gpuflow.advise.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.advise.BadModel;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.MemoryModel;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.PeakMemory;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.SampleModels;
import io.gpuflow.advise.Strategy;
import io.gpuflow.advise.Workload;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What must hold whatever the model. */
class MemoryPropertiesTest {
    private static final MemoryModel MEMORY = new SimulatedMemory();

    private static long allocated(ModelShape model, Workload work, Layout layout) {
        return MEMORY.predict(model, work, layout, null).allocated();
    }

    private static Workload work(int batch, int seq, Precision precision, boolean recompute) {
        return SampleModels.workload(batch, seq, precision, recompute);
    }

    private static ModelShape some(Random random) {
        int heads = 8 << random.nextInt(2);
        int kv = heads >> random.nextInt(3);
        int hidden = heads * 64;
        return SampleModels.llama(
                hidden,
                2 * (1 + random.nextInt(4)),
                heads,
                kv,
                hidden * 3,
                8000 * (1 + random.nextInt(4)),
                random.nextBoolean());
    }

    @Test
    void moreWorkNeedsNoLessAndDividingItNoMore() {
        Random random = new Random(9);
        for (int i = 0; i < 25; i++) {
            ModelShape model = some(random);
            Precision precision = Precision.values()[random.nextInt(4)];
            Workload one = work(2, 512, precision, false);
            Layout single = Layout.single();
            long base = allocated(model, one, single);
            assertTrue(allocated(model, work(4, 512, precision, false), single) >= base);
            assertTrue(allocated(model, work(2, 1024, precision, false), single) >= base);
            assertTrue(allocated(model, work(2, 512, precision, true), single) <= base);
            long two = allocated(model, one, Layout.of(DataParallel.FSDP2, 2));
            long eight = allocated(model, one, Layout.of(DataParallel.FSDP2, 8));
            long kept = allocated(model, one, Layout.of(DataParallel.FSDP2_NO_RESHARD, 8));
            assertTrue(eight <= two);
            assertTrue(eight <= kept);
            long ddp = allocated(model, one, Layout.of(DataParallel.DDP, 8));
            assertTrue(ddp >= base);
            assertTrue(eight <= ddp);
        }
    }

    @Test
    void zeroStagesDivideMoreAndMore() {
        ModelShape model = SampleModels.llama8b();
        Workload work = work(1, 2048, Precision.MIXED, true);
        long one = allocated(model, work, Layout.of(DataParallel.ZERO1, 8));
        long two = allocated(model, work, Layout.of(DataParallel.ZERO2, 8));
        long three = allocated(model, work, Layout.of(DataParallel.ZERO3, 8));
        assertTrue(two <= one);
        assertTrue(three <= two);
        Layout offloaded =
                new Layout(
                        DataParallel.ZERO3,
                        8,
                        8,
                        1,
                        false,
                        1,
                        1,
                        1,
                        1,
                        1,
                        Layout.Offload.CPU,
                        Layout.Offload.CPU);
        assertTrue(allocated(model, work, offloaded) <= three);
    }

    @Test
    void tensorAndPipelineParallelismDivideStates() throws BadModel {
        ModelShape model = SampleModels.llama8b();
        Workload work = work(1, 2048, Precision.BF16, false);
        long whole = allocated(model, work, Layout.single());
        assertTrue(allocated(model, work, Strategy.layout("tp4", 4, 1)) < whole / 2);
        Layout pipeline = Strategy.layout("pp4", 4, 1).withAccumulation(8);
        assertTrue(allocated(model, work, pipeline) < whole);
        Layout sequence = Strategy.layout("tp4+sp", 4, 1);
        Workload large = work(8, 4096, Precision.BF16, false);
        assertTrue(
                allocated(model, large, sequence)
                        < allocated(model, large, Strategy.layout("tp4", 4, 1)));
    }

    /** What a limit allows, and what it does not, agree with what is needed. */
    @Test
    void aLimitIsKept() {
        ModelShape model = SampleModels.tinyLlama();
        Workload work = work(1, 2048, Precision.MIXED, false);
        PeakMemory free = MEMORY.predict(model, work, Layout.single(), null);
        PeakMemory tight =
                MEMORY.predict(
                        model,
                        work,
                        Layout.single(),
                        free.allocated() + free.overhead() + (2L << 30));
        assertNotNull(tight);
        assertEquals(free.allocated(), tight.allocated());
        assertTrue(tight.reserved() <= free.allocated() + (2L << 30));
        assertNull(MEMORY.predict(model, work, Layout.single(), free.allocated()));
    }

    @Test
    void theLinesOfAnExplanationAddUp() {
        PeakMemory peak =
                MEMORY.explain(
                        SampleModels.mixtral(),
                        work(1, 1024, Precision.BF16, false),
                        Layout.of(DataParallel.FSDP2, 8));
        long sum = peak.lines().stream().mapToLong(PeakMemory.Line::bytes).sum();
        assertEquals(peak.allocated(), sum);
        long parts = peak.states() + peak.activations() + peak.logits() + peak.temporary();
        assertEquals(peak.allocated(), parts);
    }
}

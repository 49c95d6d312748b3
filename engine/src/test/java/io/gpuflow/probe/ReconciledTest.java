package io.gpuflow.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.Known;
import io.gpuflow.facts.Limit;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Unknown;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many sources, one set of facts. */
class ReconciledTest {
    @Test
    void theFirstThatTellsWinsAndTheNextFillsUp() {
        Gpu first = new Gpu(0, "nvidia", "H200", null, "0000:1b:00.0", null, null, null);
        Gpu second = new Gpu(0, "nvidia", "other", "GPU-1", null, 5L, null, 1);
        assertEquals(
                List.of(new Gpu(0, "nvidia", "H200", "GPU-1", "0000:1b:00.0", 5L, null, 1)),
                facts(first, second));
    }

    @Test
    void anUnknownThatAnotherSourceAnsweredGoes() {
        Host host = new Host("h", null, null, null, null, 2, null);
        assertEquals(
                List.of(host, new Unknown("Host.threadsPerCore", "b")),
                facts(
                        new Unknown("Host.numaNodes", "a"),
                        new Unknown("Host.threadsPerCore", "b"),
                        new Unknown("Host", "c"),
                        host));
        assertEquals(List.of(new Known("Nic")), facts(new Unknown("Nic", "a"), new Known("Nic")));
    }

    @Test
    void oneLimitDoesNotAnswerForAnother() {
        Limit memlock = new Limit("memlock", 1L, "bytes");
        Unknown nofile = new Unknown("Limit(nofile)", "why");
        assertEquals(List.of(memlock, nofile), facts(memlock, nofile));
    }

    @Test
    void severalReasonsBecomeOne() {
        assertEquals(
                List.of(new Unknown("Gpu", "a; b; c")),
                facts(
                        new Unknown("Gpu", "a"),
                        new Unknown("Gpu", "b"),
                        new Unknown("Gpu", "a"),
                        new Unknown("Gpu", "b; c")));
    }

    @Test
    void doingItTwiceChangesNothing() throws InterruptedException {
        List<Observed> once = SurveyTest.ask(new FakeTools());
        assertEquals(once, Reconciled.of(once));
    }

    @Test
    void theVendorWithMoreGpusStays() {
        FakeProbe nvidia =
                new FakeProbe("nvidia", observed(gpu("nvidia", 0)), observed(gpu("nvidia", 1)));
        FakeProbe amd = new FakeProbe("amd", observed(gpu("amd", 0)));
        FakeProbe host = new FakeProbe(null, observed(new Known("Nic")));
        List<Observed> left =
                Vendors.chosen(
                        Stream.of(amd, nvidia, host)
                                .map(p -> new Survey.Answered(p, p.ask(null)))
                                .toList());
        assertEquals(2, NvidiaSmiTest.gpus(left).size());
        assertTrue(NvidiaSmiTest.gpus(left).stream().allMatch(g -> g.vendor().equals("nvidia")));
        assertTrue(SurveyTest.unknown(left, "Gpu(amd)").contains("left out"), left.toString());
        assertTrue(left.stream().anyMatch(o -> o.fact() instanceof Known));
    }

    private static Gpu gpu(String vendor, int index) {
        return new Gpu(index, vendor, null, null, null, null, null, null);
    }

    private record FakeProbe(String vendor, Observed... facts) implements Probe {
        @Override
        public String name() {
            return "fake";
        }

        @Override
        public List<Class<? extends Fact>> brings() {
            return List.of();
        }

        @Override
        public List<Observed> ask(io.gpuflow.tool.Tools tools) {
            return List.of(facts);
        }
    }

    private static Observed observed(Fact fact) {
        return new Observed(fact, Source.of("test"));
    }

    private static List<Fact> facts(Fact... facts) {
        List<Observed> observed = Stream.of(facts).map(ReconciledTest::observed).toList();
        return Reconciled.of(observed).stream().map(Observed::fact).toList();
    }
}

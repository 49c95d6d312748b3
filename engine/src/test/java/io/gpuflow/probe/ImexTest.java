package io.gpuflow.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.facts.DeviceNode;
import io.gpuflow.facts.GpuFabric;
import io.gpuflow.facts.Imex;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** IMEX is asked for only where GPUs of several machines form one NVLink domain. */
class ImexTest {
    private static final String CHANNELS = "/dev/nvidia-caps-imex-channels/*";
    private static final String CHANNEL = "/dev/nvidia-caps-imex-channels/channel0";

    @Test
    void aMachineOfItsOwnNeedsNone() {
        FakeTools tools = new FakeTools();
        List<Observed> known = fabric("00000000-0000-0000-0000-000000000000");
        assertEquals(List.of(), new ImexProbe().ask(tools, known));
        assertEquals(List.of(), new ImexProbe().ask(tools, List.of()));
        assertTrue(tools.asked.isEmpty());
    }

    @Test
    void aDomainThatIsUp() throws IOException {
        FakeTools tools =
                new FakeTools()
                        .glob(CHANNELS, CHANNEL)
                        .prints("nvidia-imex-ctl -N", NvidiaSmiTest.sample("imex/" + anyUp()));
        List<Observed> known = fabric("dddddddd-0000-0000-0000-000000000009");
        known.add(observed(new DeviceNode(CHANNEL, true, true)));
        Imex imex = (Imex) new ImexProbe().ask(tools, known).get(0).fact();
        assertEquals("UP", imex.domainState());
        assertEquals(true, imex.channelPresent());
    }

    @Test
    void withoutDaemonAndChannel() {
        List<Observed> facts =
                new ImexProbe()
                        .ask(new FakeTools(), fabric("dddddddd-0000-0000-0000-000000000009"));
        assertEquals(new Imex(null, null, null, false), facts.get(0).fact());
        assertTrue(SurveyTest.unknown(facts, "Imex.domainState").contains("not installed"));
    }

    @Test
    void aChannelThatThisUserMayNotOpen() {
        List<Observed> known = fabric("dddddddd-0000-0000-0000-000000000009");
        known.add(observed(new DeviceNode(CHANNEL, true, false)));
        FakeTools tools = new FakeTools().glob(CHANNELS, CHANNEL);
        assertEquals(
                false, ((Imex) new ImexProbe().ask(tools, known).get(0).fact()).channelPresent());
    }

    private static String anyUp() throws IOException {
        try (var files = java.nio.file.Files.list(java.nio.file.Path.of("engine/samples/imex"))) {
            for (var file : files.filter(f -> f.toString().endsWith(".out")).sorted().toList()) {
                if (java.nio.file.Files.readString(file).contains("Domain State: UP")) {
                    return file.getFileName().toString();
                }
            }
        }
        throw new AssertionError("no sample of a domain that is up");
    }

    private static List<Observed> fabric(String cluster) {
        GpuFabric fabric = new GpuFabric(0, "Completed", "Success", "1", cluster, null);
        return new ArrayList<>(List.of(observed(fabric)));
    }

    private static Observed observed(io.gpuflow.facts.Fact fact) {
        return new Observed(fact, Source.of("test"));
    }
}

import io.gpuflow.facts.Driver;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.GpuHealth;
import io.gpuflow.facts.Host;
import io.gpuflow.facts.LinkClass;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.PcieLink;
import io.gpuflow.facts.Software;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Topology;
import io.gpuflow.rules.Checks;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.ShippedRules;
import io.gpuflow.rules.check.Check;
import io.gpuflow.rules.check.CheckReader;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The work that engine/bench/policy.py times, in one process; prints "what seconds" lines. */
final class PolicyBench {
    private static final String[] CONDITIONS = {
        "facts.driver.version.startsWith(\"%d.\")",
        "size(facts.gpu) != 8 + %d",
        "facts.gpu.exists(g, g.memory_bytes < %d)",
        "facts.pcie_link.exists(l, l.width_now < l.width_max && l.gpu == %d)",
        "facts.software.exists(s, s.name == \"nccl\" && s.version == \"2.%d\")",
        "facts.gpu.all(g, g.model.contains(\"H2%d\")) && facts.topology.link_class == \"pcie-only\"",
        "facts.host.memory_bytes < %d || facts.host.cpus == 3",
        "facts.gpu_health.exists(h, h.temperature_c > 200 + %d)",
        "facts.imex.channel_present && size(facts.gpu) > %d",
        "facts.topology.gpu_count == %d"
    };

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        switch (args[1]) {
            case "checks" -> checks(folder, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
            case "site" -> site(folder);
            default -> shipped();
        }
    }

    private static void told(String what, long begin) {
        System.out.printf("%s %.4f%n", what, (System.nanoTime() - begin) / 1e9);
    }

    private static void checks(Path folder, int checks, int hosts) throws Exception {
        StringBuilder yaml = new StringBuilder();
        for (int i = 0; i < checks; i++) {
            String when = CONDITIONS[i % CONDITIONS.length].formatted(i);
            yaml.append("- { id: check-%d, level: warn, when: '%s', says: \"%d, %s\" }%n".formatted(
                    i, when, i, "${{ facts.host.name }} is not as it should be"));
        }
        Path file = Files.writeString(folder.resolve("checks.yaml"), yaml);
        long begin = System.nanoTime();
        Problems problems = new Problems();
        List<Check> read = CheckReader.read(file, problems);
        if (!problems.isEmpty() || read.size() != checks) {
            throw new IllegalStateException(problems.all().toString());
        }
        told("read", begin);
        begin = System.nanoTime();
        int spoke = 0;
        for (int host = 0; host < hosts; host++) {
            Checks session = new Checks(facts(host));
            read.forEach(session::judge);
            spoke += session.count();
        }
        told("judge", begin);
        System.out.println("spoke " + spoke);
    }

    private static List<Fact> facts(int host) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Host("node-" + host, "6.8", "ro", 192, 2, 2, 2L << 40));
        facts.add(new Driver("nvidia", "580.65.06", "13.0"));
        facts.add(new Topology(LinkClass.NVSWITCH_ALL_TO_ALL, 8, List.of()));
        facts.add(new Software("nccl", "2.28.9", "/usr/lib"));
        facts.add(new Software("torch", "2.9.0", "/opt"));
        for (int g = 0; g < 8; g++) {
            facts.add(new Gpu(g, "nvidia", "NVIDIA H200", "GPU-" + host + g, null, 141L << 30, "9.0", g / 4));
            facts.add(new PcieLink(g, 5, 5, host % 50 == 0 && g == 3 ? 8 : 16, 16));
            facts.add(new GpuHealth(g, 40, 90, 90.0, 700.0, 700.0, 1980, 1980, true, List.of(), 0, null));
        }
        return facts;
    }

    private static List<Observed> observed() {
        List<Observed> observed = new ArrayList<>();
        facts(1).forEach(f -> observed.add(new Observed(f, Source.of("bench"))));
        return observed;
    }

    /** Loads a policy with DRL (compiled, or from the cache), then judges once. */
    private static void site(Path folder) {
        var cards = ShippedRules.cards();
        long begin = System.nanoTime();
        Problems problems = new Problems();
        SiteRules rules =
                SiteRules.load(
                        folder.resolve("site.yaml"),
                        cards,
                        new SiteRules.Setup(
                                LocalDate.now(), List.of(), folder.resolve("cache"), text -> {}),
                        problems);
        if (!problems.isEmpty() || !rules.policy().broken().isEmpty()) {
            throw new IllegalStateException(problems.all() + " " + rules.policy().broken());
        }
        told("load", begin);
        judge(rules.policy());
    }

    private static void shipped() {
        long begin = System.nanoTime();
        Policy policy = Policy.shipped(ShippedRules.cards());
        told("load", begin);
        judge(policy);
    }

    private static void judge(Policy policy) {
        long begin = System.nanoTime();
        LoadedRules rules = ShippedRules.loaded(policy);
        rules.judge(observed(), Set.of());
        told("first", begin);
        begin = System.nanoTime();
        rules.judge(observed(), Set.of());
        told("second", begin);
    }
}

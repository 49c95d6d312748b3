package io.gpuflow.cli;

import io.gpuflow.expr.Nearest;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.FactTypes;
import io.gpuflow.facts.Observed;
import io.gpuflow.flow.RunFacts;
import io.gpuflow.rules.FactFields;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.folder.RuleScaffold;
import io.gpuflow.rules.site.SiteRules;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the folder of a new rule. */
@Command(
        name = "new",
        mixinStandardHelpOptions = true,
        description = {
            "Makes the folder of a new rule, which passes lint and test.",
            "With rule.drl, rule.yaml and cases.yaml: a rule about one component of one fact, to be changed into the one you want. --from takes its cases from what a run saw. For a condition without code, write a check in site.yaml."
        },
        footer = {"", "Exit code: 0 made; 2 wrong usage, or it is there already."})
final class RulesNewCommand implements Callable<Integer> {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+([-_][a-z0-9]+)*");

    @Parameters(
            index = "0",
            paramLabel = "AREA/ID",
            description =
                    "site/ID or site_AREA/ID for an own rule; site_bench is asked together with bench")
    private String name;

    @Option(
            names = "--on",
            paramLabel = "FACT.COMPONENT",
            description = "what it is about; GpuHealth.temperature_c by default")
    private String on = "GpuHealth.temperature_c";

    @Option(
            names = "--from",
            paramLabel = "RUN",
            arity = "0..1",
            fallbackValue = RunNames.LAST,
            description = "take a case from a stored run; the last one when no name follows")
    private String from;

    @Option(names = "--in", paramLabel = "DIR", description = "folder of rules; ./rules by default")
    private Path in = Path.of("rules");

    @Mixin private SiteOptions site;

    @Override
    public Integer call() throws IOException {
        try {
            return make();
        } catch (Refused e) {
            return e.told("rules new");
        }
    }

    private int make() throws IOException, Refused {
        String[] parts = name.split("/", -1);
        if (parts.length != 2
                || !NAME.matcher(parts[0]).matches()
                || !NAME.matcher(parts[1]).matches()
                || parts[1].contains("_")
                || parts[0].contains("-")) {
            throw new Refused(
                    ExitCode.USAGE,
                    "write AREA/ID, lower-case words: site/gpu-too-warm, not " + name);
        }
        boolean shipped = isShipped();
        if (!shipped && !Policy.isOwnArea(parts[0])) {
            throw new Refused(
                    ExitCode.USAGE,
                    "own rules stand in site/ or site_AREA/: write site_"
                            + parts[0]
                            + "/"
                            + parts[1]);
        }
        SiteRules rules = site.load(List.of());
        if (rules == null) {
            return ExitCode.USAGE;
        }
        Path folder = in.resolve(parts[0]).resolve(parts[1]);
        if (rules.policy().id(parts[1]) != null || Files.exists(folder)) {
            throw new Refused(ExitCode.USAGE, "the rule " + parts[1] + " is there already");
        }
        RuleScaffold scaffold = scaffold(parts[0], parts[1]);
        Files.createDirectories(folder);
        for (Map.Entry<String, String> file : scaffold.files().entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
            System.out.println(folder.resolve(file.getKey()));
        }
        if (shipped) {
            System.out.println("next: gpuflow rules test " + parts[1]);
        } else {
            System.out.println(
                    "next: name the folder in site.yaml (add: - { rules: "
                            + in
                            + ", because: … }), then gpuflow rules test "
                            + parts[1]);
        }
        return ExitCode.OK;
    }

    /** Whether it goes into gpuflow's own rules: those of a clone, which the build compiles. */
    private boolean isShipped() throws IOException {
        String home = System.getProperty("gpuflow.home");
        Path own = home == null ? null : Path.of(home, "rules");
        return own != null
                && Files.isDirectory(in)
                && Files.isDirectory(own)
                && Files.isSameFile(in, own);
    }

    private RuleScaffold scaffold(String area, String id) throws IOException, Refused {
        String[] parts = on.split("\\.", -1);
        Class<? extends Fact> type = FactTypes.named(parts[0]);
        if (type == null) {
            throw new Refused(
                    ExitCode.USAGE,
                    "there is no fact "
                            + parts[0]
                            + "; "
                            + Nearest.hint(parts[0], RuleScaffold.types()));
        }
        List<String> known =
                Arrays.stream(type.getRecordComponents())
                        .filter(RuleScaffold::fits)
                        .map(c -> FactFields.snake(c.getName()))
                        .toList();
        RecordComponent component =
                parts.length == 2 ? RuleScaffold.component(type, parts[1]) : null;
        if (component == null || !RuleScaffold.fits(component)) {
            String asked = parts.length == 2 ? parts[1] : "";
            throw new Refused(
                    ExitCode.USAGE,
                    "--on takes " + parts[0] + ".COMPONENT; " + Nearest.hint(asked, known));
        }
        List<Fact> facts = List.of();
        String run = "";
        if (from != null) {
            Path folder = RunNames.find(from);
            facts = RunFacts.of(folder).stream().map(Observed::fact).toList();
            run = "the run " + folder.toAbsolutePath().normalize().getFileName();
        }
        return new RuleScaffold(area, id, type, component.getName(), facts, run);
    }
}

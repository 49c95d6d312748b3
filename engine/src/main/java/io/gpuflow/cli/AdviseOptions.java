package io.gpuflow.cli;

import io.gpuflow.advise.Attention;
import io.gpuflow.advise.BadModel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Optimizer;
import io.gpuflow.advise.PlainModel;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.Request;
import io.gpuflow.advise.Strategy;
import io.gpuflow.advise.TrainingMachine;
import io.gpuflow.facts.Observed;
import io.gpuflow.probe.Survey;
import io.gpuflow.step.MachineReader;
import io.gpuflow.tool.BadRecording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Model.OptionSpec;

/** What {@code advise} may be told, and what follows from it. */
final class AdviseOptions {
    private static final int SEQUENCE = 2048;
    private static final double GIB = 1L << 30;

    private final OptionSpec model =
            option("--model", "FILE", Path.class, "config.json of transformers, or sizes in YAML");
    private final OptionSpec params =
            option("--params", "N", Double.class, "number of parameters, 7e9, instead of a model");
    private final OptionSpec gpus =
            option("--gpus", "N", Integer.class, "GPUs in all; by default those of the machine");
    private final OptionSpec nodes =
            option("--nodes", "N", Integer.class, "machines they are in; 1 by default");
    private final OptionSpec gpuMemory =
            option("--gpu-memory", "GIB", Double.class, "memory of one GPU, GiB (2^30 bytes)");
    private final OptionSpec strategy =
            option(
                    "--strategy",
                    "NAME",
                    String.class,
                    "this one alone: single, ddp, fsdp2, fsdp2-no-reshard, hsdp8, zero1, zero2, zero3,"
                            + " zero3-cpu, tp2+fsdp2, tp2+sp+pp4 …");
    private final OptionSpec virtualStages =
            option("--virtual-stages", "N", Integer.class, "of an interleaved pipeline schedule");
    private final OptionSpec microBatch =
            option("--micro-batch", "N", Integer.class, "sequences in one forward pass of a rank");
    private final OptionSpec seq =
            option(
                    "--seq",
                    "N",
                    Integer.class,
                    "tokens in a sequence; " + SEQUENCE + " by default");
    private final OptionSpec globalBatch =
            option("--global-batch", "N", Integer.class, "sequences in an optimizer step");
    private final OptionSpec precision =
            option("--precision", "NAME", String.class, "fp32, mixed (default), bf16, fp16");
    private final OptionSpec optimizer =
            option(
                    "--optimizer",
                    "NAME",
                    String.class,
                    "adamw (default), adamw-fused, adam8bit, sgd, sgd-momentum, adafactor, lion, muon");
    private final OptionSpec attention =
            option("--attention", "NAME", String.class, "sdpa (default), eager, flash");
    private final OptionSpec recompute =
            flag(
                    "--recompute",
                    "compute activations again in the backward; searched when not said");
    private final OptionSpec machine =
            option("--machine", "DIR", Path.class, "ask a recording instead of this machine");
    private final OptionSpec explain =
            flag("--explain", "show the arithmetic of the best candidate line by line");
    private final OptionSpec json = flag("--json", "print candidates as JSON");
    private final OptionSpec measure =
            flag(
                    "--measure",
                    "run some real steps of the best two, and correct predictions by them from now"
                            + " on");
    private final OptionSpec out =
            option(
                    "--out",
                    "DIR",
                    Path.class,
                    "write ready-to-run files for the best candidate; nothing is overwritten");
    private final OptionSpec site = option("--site", "FILE", Path.class, SiteOptions.SITE_HELP);
    private final OptionSpec noSite = flag("--no-site", SiteOptions.NO_SITE_HELP);

    private List<Observed> facts = List.of();
    private TrainingMachine asked;
    private String config;

    private final List<String> assumed = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private static OptionSpec option(String name, String label, Class<?> type, String says) {
        return OptionSpec.builder(name).paramLabel(label).type(type).description(says).build();
    }

    private static OptionSpec flag(String name, String says) {
        return OptionSpec.builder(name).type(boolean.class).description(says).build();
    }

    List<OptionSpec> all() {
        return List.of(
                model,
                params,
                gpus,
                nodes,
                gpuMemory,
                strategy,
                virtualStages,
                microBatch,
                seq,
                globalBatch,
                precision,
                optimizer,
                attention,
                recompute,
                machine,
                explain,
                json,
                measure,
                out,
                site,
                noSite);
    }

    boolean measure() {
        return on(measure);
    }

    /** The recording that is asked instead of this machine, or null. */
    Path recording() {
        return machine.getValue();
    }

    /** Where ready-to-run files are wanted, or null. */
    Path out() {
        return out.getValue();
    }

    /** Facts of the machine; none when it was not asked. */
    List<Observed> facts() {
        return facts;
    }

    /** The model's config.json as it stands; null when it was described in another way. */
    String config() {
        return config;
    }

    SiteOptions site() {
        return SiteOptions.of(site.getValue(), on(noSite));
    }

    /** The machine to train on; of one that was not asked only the number of GPUs is known. */
    TrainingMachine machine(Request request) {
        int nodes = request.gpus() / request.perNode();
        return asked != null
                ? asked
                : TrainingMachine.unasked(nodes, request.perNode(), request.gpuMemory());
    }

    boolean explain() {
        return on(explain);
    }

    boolean json() {
        return on(json);
    }

    /** What was taken where nothing was said, a text each. */
    List<String> assumed() {
        return List.copyOf(assumed);
    }

    private static boolean on(OptionSpec flag) {
        return Boolean.TRUE.equals(flag.getValue());
    }

    /** All that was asked for, complete. */
    Request request() throws Refused, InterruptedException {
        ModelShape shape = shape();
        Precision p = named(precision, Precision.values(), Precision::word, Precision.MIXED);
        Optimizer o = named(optimizer, Optimizer.values(), Optimizer::word, Optimizer.ADAMW);
        Attention a = named(attention, Attention.values(), Attention::word, Attention.SDPA);
        Integer batch = whole(microBatch, 1 << 16);
        Integer global = whole(globalBatch, 1 << 24);
        Integer tokens = whole(seq, 1 << 24);
        Integer chunks = whole(virtualStages, 64);
        check(shape, tokens, batch == null ? 1 : batch);
        refuse();
        Gpus found = gpus();
        Layout layout = layout(found.count(), chunks == null ? 1 : chunks);
        int perNode = Math.max(1, found.count() / found.nodes());
        // With a strategy, what is predicted is what was said: nothing is searched.
        boolean fixed = layout != null;
        return new Request(
                shape,
                found.count(),
                perNode,
                found.memory(),
                layout,
                batch,
                tokens == null ? SEQUENCE : tokens,
                global,
                p,
                o,
                on(recompute) ? Boolean.TRUE : fixed ? Boolean.FALSE : null,
                a);
    }

    private void check(ModelShape shape, Integer tokens, int batch) {
        int length = tokens == null ? SEQUENCE : tokens;
        if (shape != null && Request.largestTensor(shape, batch, length) > 1L << 50) {
            problems.add("--micro-batch and --seq: a single tensor would be larger than 1 PiB");
        }
        int positions = shape == null ? 0 : shape.block().positions();
        if (positions > 0 && length > positions) {
            problems.add(
                    "--seq "
                            + length
                            + ": the model has learned positions for "
                            + positions
                            + " tokens");
        }
        if (tokens == null) {
            assumed.add("sequences of " + SEQUENCE + " tokens (--seq)");
        }
    }

    private ModelShape shape() throws Refused {
        Path file = model.getValue();
        Double number = params.getValue();
        if ((file == null) == (number == null)) {
            problems.add("say --model FILE or --params N, one of them");
            return null;
        }
        if (file != null) {
            ModelFile read = ModelFile.read(file);
            config = read.text();
            return read.shape();
        }
        try {
            return PlainModel.ofParameters(number);
        } catch (BadModel e) {
            problems.addAll(e.problems());
            return null;
        }
    }

    private Integer whole(OptionSpec option, int most) {
        Integer value = option.getValue();
        if (value != null && (value < 1 || value > most)) {
            problems.add(option.longestName() + ": expected 1 to " + most + ", found " + value);
        }
        return value;
    }

    private <E> E named(OptionSpec option, E[] values, Function<E, String> word, E otherwise) {
        String given = option.getValue();
        if (given == null) {
            assumed.add(word.apply(otherwise) + " (" + option.longestName() + ")");
            return otherwise;
        }
        String wanted = given.toLowerCase(Locale.ROOT);
        for (E value : values) {
            if (word.apply(value).equals(wanted)) {
                return value;
            }
        }
        List<String> words = Arrays.stream(values).map(word).toList();
        problems.add(
                option.longestName() + " " + given + ": there are " + String.join(", ", words));
        return otherwise;
    }

    private void refuse() throws Refused {
        if (!problems.isEmpty()) {
            throw new Refused(ExitCode.USAGE, problems);
        }
    }

    private record Gpus(int count, int nodes, Long memory) {}

    private Gpus gpus() throws Refused, InterruptedException {
        Integer count = whole(gpus, 1 << 17);
        Integer machines = whole(nodes, 1 << 14);
        Double gib = gpuMemory.getValue();
        if (gib != null && !(gib >= 0.5 && gib <= 4096)) {
            problems.add("--gpu-memory: expected 0.5 to 4096 GiB, found " + gib);
        }
        refuse();
        int many = machines == null ? 1 : machines;
        Long memory = gib == null ? null : (long) (gib * GIB);
        if (count == null || memory == null || machine.getValue() != null || measure()) {
            MachineGpus here = ask();
            if (count == null && here.count() != null) {
                count = here.count() * many;
            }
            memory = memory == null ? here.memory() : memory;
            if (count == null) {
                throw new Refused(
                        ExitCode.UNTOLD,
                        "how many GPUs there are is not known: "
                                + here.why()
                                + "; say --gpus N"
                                + " and --gpu-memory GIB, or --machine DIR");
            }
            if (memory == null) {
                assumed.add("whether it fits can't be told: " + here.why() + "; say --gpu-memory");
            }
        }
        if (count % many != 0) {
            problems.add("--gpus " + count + " are not divided evenly over --nodes " + many);
        }
        refuse();
        if (!facts.isEmpty()) {
            asked = MachineReader.of(facts, many, count / many);
        }
        return new Gpus(count, many, memory);
    }

    private MachineGpus ask() throws Refused, InterruptedException {
        try (Machine opened = Machine.open(machine.getValue(), null, List.of())) {
            List<Observed> found = new Survey().ask(opened.tools(), (stderr, text) -> {});
            facts = new ArrayList<>(found);
            facts.addAll(Remembered.of(null, false, System.getenv()).facts(found));
            return MachineGpus.of(found);
        } catch (BadRecording e) {
            throw new Refused(ExitCode.USAGE, e.getMessage());
        }
    }

    private Layout layout(int count, int chunks) throws Refused {
        String words = strategy.getValue();
        if (words == null) {
            return null;
        }
        try {
            return Strategy.layout(words, count, chunks);
        } catch (BadModel e) {
            throw new Refused(ExitCode.USAGE, e.problems());
        }
    }
}

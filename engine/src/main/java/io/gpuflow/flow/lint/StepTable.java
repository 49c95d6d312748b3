package io.gpuflow.flow.lint;

import static io.gpuflow.yaml.Key.optional;
import static io.gpuflow.yaml.Key.required;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.Template;
import io.gpuflow.flow.Budget;
import io.gpuflow.flow.Catalog;
import io.gpuflow.flow.Effect;
import io.gpuflow.flow.Experiment;
import io.gpuflow.flow.Extract;
import io.gpuflow.flow.Retry;
import io.gpuflow.yaml.Expressions;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What may stand in a step. */
final class StepTable {
    private static final Shape<Map<String, Template>> TEXTS =
            Shapes.map(WorkflowShapes.name(), Expressions.template());

    final Key<String> id = required("id", Shapes.id(), "name of the step, such as ddp-smoke");
    final Key<String> about = optional("about", Shapes.text(), "", "one line for people");
    final Key<String> uses;
    final Key<Map<String, Object>> with =
            optional(
                    "with",
                    Shapes.mapOfAny(Expressions.anyWithTemplates()),
                    Map.of(),
                    "inputs of the action");
    final Key<List<Template>> cmd =
            optional("cmd", new ArgvShape(), null, "a program and its arguments, without a shell");
    final Key<String> sh =
            optional(
                    "sh",
                    WorkflowShapes.script(),
                    null,
                    "a script for /bin/sh; it sees values only through env");
    final Key<String> parse;
    final Key<Extract> extract =
            optional("extract", ExtractTable.SHAPE, null, "outputs taken from what it prints");
    final Key<List<String>> needs =
            optional(
                    "needs",
                    Shapes.oneOrMore(Shapes.id()),
                    List.of(),
                    "steps that must have passed, warned or been skipped by their own if");
    final Key<List<String>> after =
            optional(
                    "after",
                    Shapes.oneOrMore(Shapes.id()),
                    List.of(),
                    "steps that must only have ended; all for every step above");
    final Key<Expr> when =
            optional("if", Expressions.condition(), null, "skip the step unless this holds");
    final Key<Map<String, Object>> matrix =
            optional(
                    "matrix",
                    MatrixShape.SHAPE,
                    null,
                    "run once for each combination; matrix.NAME is the value");
    final Key<Map<String, Template>> env =
            optional("env", EnvShape.SHAPE, Map.of(), "variables; null removes one");
    final Key<Duration> timeout =
            optional("timeout", Shapes.duration(), null, "time one attempt may take");
    final Key<Retry> retry =
            optional("retry", RetryShape.SHAPE, null, "when to try again with the same inputs");
    final Key<Effect> effect =
            optional(
                    "effect",
                    Shapes.word(Effect.class),
                    null,
                    "what it does to the machine: read looks only, load holds the GPUs, change"
                            + " alters it");
    final Key<List<String>> check;
    final Key<Map<String, Experiment>> experiments =
            optional(
                    "experiments",
                    ExperimentShape.SHAPE,
                    Map.of(),
                    "changes that a rule's advice may try");
    final Key<Budget> budget =
            optional("budget", BudgetShape.SHAPE, null, "what the experiments may cost together");
    final Key<Map<String, Template>> outputs =
            optional(
                    "outputs",
                    TEXTS,
                    Map.of(),
                    "further outputs; out is what the step itself brought");
    final Key<List<Template>> keep =
            optional(
                    "keep",
                    Shapes.oneOrMore(Expressions.template()),
                    List.of(),
                    "globs of files to keep with the run");

    final MapShape<Fields> shape;

    StepTable(Catalog catalog) {
        uses =
                optional(
                        "uses",
                        Shapes.known("action", catalog.actions()::keySet),
                        null,
                        "a built-in action");
        parse =
                optional(
                        "parse",
                        Shapes.known("parser", catalog.parsers()),
                        null,
                        "parser for what it prints");
        check =
                optional(
                        "check",
                        Shapes.oneOrMore(Shapes.known("rule area", catalog.areas())),
                        List.of(),
                        "rule areas that judge what the step brought");
        List<Key<?>> keys =
                List.of(
                        id,
                        about,
                        uses,
                        with,
                        cmd,
                        sh,
                        parse,
                        extract,
                        needs,
                        after,
                        when,
                        matrix,
                        env,
                        timeout,
                        retry,
                        effect,
                        check,
                        experiments,
                        budget,
                        outputs,
                        keep);
        shape =
                new MapShape<>("a step", "one step of the workflow", keys, Function.identity())
                        .oneOf(uses, cmd, sh)
                        .only(with, uses)
                        .only(parse, cmd, sh)
                        .only(extract, cmd, sh)
                        .only(experiments, check)
                        .only(budget, experiments);
        catalog.actions().forEach((name, action) -> shape.described(inputs(name, action)));
    }

    /** Schema of {@code with:} beside one action. */
    private static Map<String, Object> inputs(String name, Catalog.ActionInfo action) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        action.with()
                .forEach(
                        (input, param) -> {
                            properties.put(input, Map.of("description", param.help()));
                            if (param.required()) {
                                required.add(input);
                            }
                        });
        Map<String, Object> with = new LinkedHashMap<>();
        with.put("additionalProperties", false);
        with.put("required", required);
        with.put("properties", properties);
        Map<String, Object> uses = Map.of("uses", Map.of("const", name));
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("if", Map.of("properties", uses, "required", List.of("uses")));
        condition.put("then", Map.of("properties", Map.of("with", with)));
        return condition;
    }
}

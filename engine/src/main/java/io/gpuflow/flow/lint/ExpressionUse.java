package io.gpuflow.flow.lint;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.Type;
import io.gpuflow.flow.Matrix;
import io.gpuflow.yaml.Expressions;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.YamlNode;

/** Names that don't exist and types that don't fit, in conditions and in {@code ${{ }}}. */
final class ExpressionUse {
    /** Where counting the combinations of a matrix ends: a product must not overflow. */
    private static final long TOO_MANY = 1_000_000_000L;

    private final Draft draft;
    private final Names names;

    ExpressionUse(Draft draft, Names names) {
        this.draft = draft;
        this.names = names;
    }

    void check() {
        texts(draft.workflow.node(draft.table.env), names.ofWorkflow());
        for (Fields step : draft.all()) {
            StepTable keys = draft.keys;
            condition(step.get(keys.when), step.node(keys.when), names.ofCondition(step));
            axes(step);
            Type.Fields scope = names.ofStep(step);
            texts(step.node(keys.env), scope);
            texts(step.node(keys.cmd), scope);
            texts(step.node(keys.keep), scope);
            if (step.has(keys.outputs)) {
                Expressions.check(step.node(keys.outputs), names.ofOutputs(step), draft.problems);
            }
            if (step.node(keys.experiments) instanceof YamlNode.Entries experiments) {
                experiments.entries().forEach(e -> experiment(step, e, scope));
            }
        }
    }

    private void experiment(Fields step, YamlNode.Entry experiment, Type.Fields scope) {
        if (!(experiment.value() instanceof YamlNode.Entries entries)) {
            return;
        }
        texts(entries.get(ExperimentShape.ENV.name()), scope);
        Expr when = null;
        if (step.get(draft.keys.experiments).get(experiment.key().value()) != null) {
            when = step.get(draft.keys.experiments).get(experiment.key().value()).when();
        }
        YamlNode node = entries.get(ExperimentShape.WHEN.name());
        condition(when, node, names.ofCondition(step));
    }

    private void condition(Expr expr, YamlNode node, Type.Fields scope) {
        if (expr == null) {
            return;
        }
        Type type = Expressions.check(expr, node, scope, draft.problems);
        if (type != Type.BOOL && type != Type.ANY) {
            String says = "a condition must be true or false, this is " + type;
            boolean sized = type == Type.TEXT || type instanceof Type.ListOf;
            String next =
                    sized ? "compare it: size(" + expr + ") > 0" : "compare it: " + expr + " > 0";
            draft.problems.at(node, says, type == Type.NULL ? "" : next);
        }
    }

    private void axes(Fields step) {
        Key<?> key = draft.keys.matrix;
        if (!(step.node(key) instanceof YamlNode.Entries axes)) {
            return;
        }
        long combinations = 1;
        for (YamlNode.Entry axis : axes.entries()) {
            Type type = Expressions.check(axis.value(), names.ofCondition(step), draft.problems);
            boolean list = type instanceof Type.ListOf || type == Type.ANY;
            if (!list && step.get(draft.keys.matrix).containsKey(axis.key().value())) {
                String says = "an axis of a matrix is a list, this is " + type;
                draft.problems.at(axis.value(), says, "write it as a list: [\"${{ … }}\"]");
            }
            if (axis.value() instanceof YamlNode.Items items) {
                long all = combinations * Math.max(1, items.items().size());
                combinations = Math.min(all, TOO_MANY);
            }
        }
        if (combinations > Matrix.MOST) {
            String says =
                    "the matrix has "
                            + (combinations < TOO_MANY ? "" : "more than ")
                            + combinations
                            + " combinations";
            draft.problems.at(axes, says, "at most " + Matrix.MOST);
        }
    }

    /** Checks texts: what is put into them must be writable as text. */
    private void texts(YamlNode node, Type.Fields scope) {
        if (node instanceof YamlNode.Items items) {
            items.items().forEach(item -> texts(item, scope));
        } else if (node instanceof YamlNode.Entries entries) {
            entries.entries().forEach(e -> texts(e.value(), scope));
        } else if (node != null) {
            Type type = Expressions.check(node, scope, draft.problems);
            if (type instanceof Type.Fields || type instanceof Type.MapOf) {
                draft.problems.at(node, "a map can't be written as text", "name one of its keys");
            }
        }
    }
}

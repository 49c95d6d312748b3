package io.gpuflow.flow.lint;

import io.gpuflow.expr.Nearest;
import io.gpuflow.expr.Type;
import io.gpuflow.flow.Catalog.ActionInfo;
import io.gpuflow.flow.Catalog.Param;
import io.gpuflow.flow.Effect;
import io.gpuflow.yaml.Expressions;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.YamlNode;
import java.util.Map;

/**
 * Inputs that an action does not have, lacks or can't take, and effects that it has but doesn't
 * say.
 */
final class ActionUse {
    private final Draft draft;
    private final Names names;

    ActionUse(Draft draft, Names names) {
        this.draft = draft;
        this.names = names;
    }

    void check() {
        for (Fields step : draft.all()) {
            ActionInfo action = draft.catalog.action(step.get(draft.keys.uses));
            if (action != null) {
                effect(step, action);
                required(step, action);
                inputs(step, action, step.node(draft.keys.with));
                experiments(step, action);
            }
        }
    }

    private void effect(Fields step, ActionInfo action) {
        Effect said = step.get(draft.keys.effect);
        if (said != null && said.compareTo(action.effect()) < 0) {
            String uses = step.get(draft.keys.uses);
            String says = uses + " has the effect " + action.effect().word();
            String next = "write effect: " + action.effect().word() + ", or leave it out";
            step.problem(draft.keys.effect, says, next);
        }
    }

    private void required(Fields step, ActionInfo action) {
        for (Map.Entry<String, Param> param : action.with().entrySet()) {
            boolean there = step.get(draft.keys.with).containsKey(param.getKey());
            if (param.getValue().required() && !there) {
                String uses = step.get(draft.keys.uses);
                String says = uses + " needs with: { " + param.getKey() + ": … }";
                draft.problems.at(step.node(draft.keys.uses), says, param.getValue().help());
            }
        }
    }

    private void inputs(Fields step, ActionInfo action, YamlNode with) {
        if (!(with instanceof YamlNode.Entries entries)) {
            return;
        }
        Type.Fields scope = names.ofStep(step);
        for (YamlNode.Entry entry : entries.entries()) {
            String name = entry.key().value();
            Param param = action.with().get(name);
            Type type = Expressions.check(entry.value(), scope, draft.problems);
            if (param == null) {
                String says = step.get(draft.keys.uses) + " has no input " + name;
                String hint =
                        action.with().isEmpty()
                                ? "it takes none: remove it"
                                : Nearest.hint(name, action.with().keySet());
                draft.problems.at(entry.key(), says, hint);
            } else if (!fits(param.type(), type)) {
                String says = name + " must be " + param.type() + ", this is " + type;
                draft.problems.at(entry.value(), says, param.help());
            }
        }
    }

    private void experiments(Fields step, ActionInfo action) {
        if (step.node(draft.keys.experiments) instanceof YamlNode.Entries all) {
            for (YamlNode.Entry one : all.entries()) {
                if (one.value() instanceof YamlNode.Entries experiment) {
                    inputs(step, action, experiment.get(ExperimentShape.WITH.name()));
                }
            }
        }
    }

    private static boolean fits(Type wanted, Type given) {
        if (wanted == Type.ANY || given == Type.ANY || given == Type.NULL) {
            return true;
        }
        if (wanted == Type.TEXT) {
            return given instanceof Type.Basic;
        }
        if (wanted == Type.DOUBLE) {
            return given == Type.DOUBLE || given == Type.INT;
        }
        if (wanted == Type.DURATION) {
            return given == Type.DURATION || given == Type.TEXT;
        }
        if (wanted instanceof Type.ListOf) {
            return given instanceof Type.ListOf;
        }
        boolean map = wanted instanceof Type.MapOf || wanted instanceof Type.Fields;
        return map
                ? !(given instanceof Type.Basic) && !(given instanceof Type.ListOf)
                : wanted == given;
    }
}

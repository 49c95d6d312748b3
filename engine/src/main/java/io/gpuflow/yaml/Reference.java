package io.gpuflow.yaml;

import io.gpuflow.expr.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A name that must be one of those that exist. */
record Reference(String what, Supplier<? extends Collection<String>> names)
        implements Shape<String> {
    @Override
    public String read(YamlNode node, Problems problems) {
        if (!(node instanceof YamlNode.Scalar scalar) || scalar.isEmpty()) {
            return Wording.expected(words(), node, problems);
        }
        String name = scalar.value();
        if (names.get().contains(name)) {
            return name;
        }
        String says = "there is no " + what + " " + Wording.shown(name);
        problems.at(node, says, Nearest.hint(name, names.get()));
        return null;
    }

    @Override
    public String words() {
        return "the name of " + ("aeiou".indexOf(what.charAt(0)) >= 0 ? "an " : "a ") + what;
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("enum", List.copyOf(names.get()));
    }
}

package io.gpuflow.yaml;

import java.util.Locale;
import java.util.Set;

/** What is said of a value that is not what it should be. */
final class Wording {
    private static final int LONGEST_SHOWN = 60;

    private static final Set<String> YES = Set.of("on", "yes", "y");
    private static final Set<String> NO = Set.of("off", "no", "n");

    private Wording() {}

    static String mustBe(String words, YamlNode node) {
        return "must be " + words + ", this is " + found(node);
    }

    static <T> T expected(String words, YamlNode node, Problems problems) {
        problems.at(node, mustBe(words, node), hint(node));
        return null;
    }

    private static String found(YamlNode node) {
        if (node instanceof YamlNode.Scalar scalar && !scalar.value().isEmpty()) {
            return shown(scalar.value());
        }
        return node.words();
    }

    private static String hint(YamlNode node) {
        if (!(node instanceof YamlNode.Scalar scalar) || scalar.value().length() > LONGEST_SHOWN) {
            return "";
        }
        String text = scalar.value();
        boolean yes = YES.contains(text.toLowerCase(Locale.ROOT));
        boolean no = NO.contains(text.toLowerCase(Locale.ROOT));
        if (yes || no) {
            return "in YAML 1.2 " + text + " is text: write " + yes;
        }
        if (scalar.plain() && text.matches("[-+]?0[0-9]+")) {
            return "a number with a leading 0 is read differently by different tools";
        }
        return scalar.plain() || !(text.matches("[0-9.]+|true|false"))
                ? ""
                : "leave out the quotes";
    }

    static String shown(String text) {
        String cut = text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
        return cut.replace("\n", "\\n");
    }
}

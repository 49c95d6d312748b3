package io.gpuflow.rules.folder;

import static io.gpuflow.yaml.Key.optional;
import static io.gpuflow.yaml.Key.required;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import io.gpuflow.yaml.YamlNode;
import java.util.List;
import java.util.Map;

/** What a cases.yaml may hold. */
public final class CaseReader {
    private static final Key<String> CASE = required("case", Shapes.text(), "what the case shows");
    private static final Key<List<Observed>> GIVEN =
            optional("given", Shapes.list(new Given()), List.of(), "facts, one an item");
    private static final Key<List<String>> SAMPLE =
            optional(
                    "sample",
                    Shapes.oneOrMore(Shapes.text()),
                    List.of(),
                    "files below engine/samples, or examples/NAME/recording");
    private static final Key<RuleCase.Expectation> EXPECT =
            required("expect", expectation(), "quiet, unknown or { fires: true, … }");

    private CaseReader() {}

    /** The cases in order. */
    public static Shape<List<RuleCase>> shape() {
        return Shapes.list(
                new MapShape<>(
                        "a case",
                        "facts and what the rule must make of them",
                        List.of(CASE, GIVEN, SAMPLE, EXPECT),
                        CaseReader::ruleCase));
    }

    private static RuleCase ruleCase(Fields f) {
        if (f.get(CASE) == null || f.get(EXPECT) == null) {
            return null;
        }
        return new RuleCase(
                f.get(CASE), f.at().toString(), f.get(GIVEN), f.get(SAMPLE), f.get(EXPECT));
    }

    /** A fact with its place in the file as its source. */
    private static final class Given implements Shape<Observed> {
        private final FactShape fact = new FactShape();

        @Override
        public Observed read(YamlNode node, Problems problems) {
            Fact read = fact.read(node, problems);
            return read == null
                    ? null
                    : new Observed(read, new Source(node.at().file(), node.at().line(), ""));
        }

        @Override
        public String words() {
            return fact.words();
        }

        @Override
        public Map<String, Object> schema() {
            return fact.schema();
        }
    }

    private static Shape<RuleCase.Expectation> expectation() {
        Key<Boolean> fires = required("fires", Shapes.flag(), "true: the rule speaks");
        Shape<List<String>> texts = Shapes.oneOrMore(Shapes.text());
        Key<List<String>> says = optional("says", texts, List.of(), "parts of the line");
        Key<String> why = optional("why", Shapes.text(), null, "a part of the reason");
        Key<List<String>> advises = optional("advises", texts, List.of(), "experiments");
        Key<List<Integer>> ranks =
                optional("ranks", Shapes.list(Shapes.whole(0, 1 << 24)), null, "exactly these");
        Key<Integer> count =
                optional("count", Shapes.whole(1, 10_000), null, "how many verdicts of the rule");
        Shape<RuleCase.Expectation> speaks =
                new MapShape<>(
                        "expect",
                        "what the rule must say",
                        List.of(fires, says, why, advises, ranks, count),
                        f ->
                                new RuleCase.Expectation(
                                        Boolean.FALSE.equals(f.get(fires))
                                                ? RuleCase.Outcome.QUIET
                                                : RuleCase.Outcome.FIRES,
                                        f.get(says),
                                        f.get(why),
                                        f.get(advises),
                                        f.get(ranks),
                                        f.get(count)));
        return Shapes.either(
                Shapes.word(
                        Map.of(
                                "quiet", RuleCase.Expectation.of(RuleCase.Outcome.QUIET),
                                "unknown", RuleCase.Expectation.of(RuleCase.Outcome.UNKNOWN))),
                speaks);
    }
}

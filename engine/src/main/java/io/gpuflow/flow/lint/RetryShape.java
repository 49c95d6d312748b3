package io.gpuflow.flow.lint;

import io.gpuflow.flow.Retry;
import io.gpuflow.yaml.Fields;
import io.gpuflow.yaml.Key;
import io.gpuflow.yaml.MapShape;
import io.gpuflow.yaml.Shape;
import io.gpuflow.yaml.Shapes;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** {@code retry: {times: 1, for: [timeout, exit 75], wait: 10s}}. */
final class RetryShape {
    private static final String TIMEOUT = "timeout";

    private static final Key<Integer> TIMES =
            Key.required("times", Shapes.whole(0, 100), "further attempts at most");
    private static final Key<List<String>> FOR =
            Key.required(
                    "for",
                    Shapes.oneOrMore(
                            Shapes.text(
                                    "timeout or exit N, with N from 1 to 255",
                                    "timeout|exit ([1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])")),
                    "reasons to try again: timeout, exit N");
    private static final Key<Duration> WAIT =
            Key.optional("wait", Shapes.duration(), Duration.ZERO, "pause before each attempt");

    static final Shape<Retry> SHAPE =
            new MapShape<>(
                    "retry",
                    "when to try again with the same inputs",
                    List.of(TIMES, FOR, WAIT),
                    RetryShape::retry);

    private RetryShape() {}

    private static Retry retry(Fields f) {
        if (f.get(TIMES) == null || f.get(FOR) == null) {
            return null;
        }
        Set<Integer> exits = new TreeSet<>();
        for (String reason : f.get(FOR)) {
            if (!reason.equals(TIMEOUT)) {
                exits.add(Integer.valueOf(reason.substring("exit ".length())));
            }
        }
        return new Retry(f.get(TIMES), f.get(FOR).contains(TIMEOUT), exits, f.get(WAIT));
    }
}

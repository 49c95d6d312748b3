package io.gpuflow.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuflow.rules.RuleBook;
import io.gpuflow.rules.ShippedRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that stand below an end, because streams or ranks were joined, make no job healthy. */
class LateOutputTest {
    private static final Path LOGS =
            Path.of(System.getProperty("gpuflow.home", "."), "engine", "samples", "logs");
    private static final Predicate<String> STEP =
            Pattern.compile("\\] step \\d|warmup").asPredicate();

    private final RuleBook rules = ShippedRules.load();

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"stop", "skip", "slow_cpu", "oom", "raise"})
    void standardOutputBelowStandardError(String name) throws IOException {
        check(name, STEP.negate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "skip", "slow_cpu"})
    void oneRankBelowTheOther(String name) throws IOException {
        check(name, line -> !line.contains("rank1]") && !line.contains("rank 1]"));
    }

    private static final String DIED =
            """
            Traceback (most recent call last):
              File "/home/u/train.py", line 90, in <module>
                main()
              File "/home/u/train.py", line 71, in main
                loss = criterion(model(x), y)
            ValueError: Expected input batch_size (8) to match target batch_size (7).
            """;

    private static final String REPORTED =
            DIED
                    + """
                    E0402 10:31:30.100000 23 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 1 (pid: 9040) of binary: /usr/bin/python3
                    torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
                    ============================================================
                    train.py FAILED
                    ------------------------------------------------------------
                    Root Cause (first observed failure):
                    [0]:
                      time      : 2025-04-02_10:31:29
                      host      : n1
                      rank      : 1 (local_rank: 1)
                      exitcode  : 1 (pid: 9040)
                      error_file: <N/A>
                      traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
                    ============================================================
                    """;

    private static final String STEPS = "step 0 loss 2.1\nstep 10 loss 2.0\nstep 20 loss 1.9\n";

    @Test
    void aBufferWrittenAtExitIsNoWork() throws IOException {
        fault(DIED + STEPS);
        fault(
                "/opt/x.py:3: UserWarning: it is deprecated\n  warnings.warn(\"x\")\n"
                        + DIED
                        + STEPS);
        fault("2025-01-01 10:05:00 WARNING lr is 0\n" + DIED + timed("10:00:05", "10:01:05"));
        fault(BAR + DIED + BAR);
    }

    @Test
    void workThatGetsFurtherGoesOn() throws IOException {
        wentOn("step 0 loss 2.1\n" + DIED + "skipping this batch\nstep 10 loss 2.0\n");
        wentOn("2025-01-01 10:00:00 INFO start\n" + DIED + timed("10:00:05", "10:01:05"));
        wentOn(BAR + DIED + "  7%|#  | 20/300 [00:20<04:40,  1.00s/it]\n");
        wentOn(DIED + STEPS + "Training completed.\n");
    }

    @Test
    void aLoopAroundTheLauncherStartsItAgain() throws IOException {
        wentOn("step 100 loss 2\n" + REPORTED + "step 90 loss 2\nstep 110 loss 2\n");
        wentOn("step 100 loss 2\n" + REPORTED + STEPS + "Training finished\n");
        wentOn(REPORTED + "2025-04-02 10:33:00 INFO step 1 loss 2\n");
    }

    @Test
    void stepsBelowTheLaunchersReportMayHaveBeenDoneBefore() throws IOException {
        fault(REPORTED + STEPS);
        fault("step 100 loss 2\n" + REPORTED + STEPS);
        fault(REPORTED + "2025-04-02 10:30:00 INFO step 1 loss 2\n");
    }

    private static final String BAR = "  3%|#  | 10/300 [00:10<04:50,  1.00s/it]\n";

    private static String timed(String one, String two) {
        return "2025-01-01 "
                + one
                + " INFO step 10 loss 2\n2025-01-01 "
                + two
                + " INFO step 20 loss 2\n";
    }

    private void fault(String log) throws IOException {
        assertEquals(Diagnosis.Outcome.FAULT, judge(log).outcome(), log);
    }

    /** It is told that there was a failure, and no cause. */
    private void wentOn(String log) throws IOException {
        Diagnosis d = judge(log);
        assertEquals(Diagnosis.Outcome.HEALTHY, d.outcome(), log);
        assertTrue(d.note().contains("got over a failure"), d.note());
    }

    private Diagnosis judge(String log) throws IOException {
        return Diagnosis.of(List.of(Files.writeString(folder.resolve("job.log"), log)), rules);
    }

    private void check(String name, Predicate<String> above) throws IOException {
        List<String> lines = Files.readAllLines(LOGS.resolve("h200x2--" + name + ".log"));
        List<String> joined = new ArrayList<>(lines.stream().filter(above).toList());
        joined.addAll(lines.stream().filter(above.negate()).toList());
        Path log = Files.write(folder.resolve("job.log"), joined);
        assertNotEquals(Diagnosis.Outcome.HEALTHY, Diagnosis.of(List.of(log), rules).outcome());
    }
}

package io.gpuflow.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuflow.facts.CollectiveState;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Stall;
import io.gpuflow.trace.MadeJob.Op;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Faults in made jobs: the ranks named are the faulty ones, whatever the size of the job, and do
 * not change with more innocent ranks. {@code -Dtrace.ranks=1024 -Dtrace.jobs=200} makes it larger.
 */
class SyntheticTraceTest {
    private static final List<String> FAULTS =
            List.of(
                    "absent",
                    "device",
                    "shape",
                    "dtype",
                    "operation",
                    "order",
                    "left-out",
                    "extra",
                    "ring",
                    "p2p-ring",
                    "silent");
    private static final int LARGEST = Integer.getInteger("trace.ranks", 64);
    private static final int JOBS = Integer.getInteger("trace.jobs", 12);
    private static final int STEPS = 6;

    /** A fault, and the ranks that have it. */
    private record Planted(String fault, Set<Integer> ranks) {}

    private record Said(String kind, Set<Integer> ranks) {}

    @Test
    void namesTheFaultyRanks() throws IOException {
        Random random = new Random(4);
        int right = 0;
        int said = 0;
        int planted = 0;
        List<String> misses = new ArrayList<>();
        for (String fault : FAULTS) {
            for (int i = 0; i < JOBS; i++) {
                int[] shape = shape(random);
                long seed = random.nextLong();
                MadeJob job = new MadeJob(shape[0], shape[1], shape[2], STEPS);
                Planted truth = plant(job, fault, shape, new Random(seed));
                job.run();
                int kept = random.nextInt(3) == 0 ? 14 : 2000;
                boolean json = random.nextBoolean();
                Said answer = said(job, truth, kept, json, random.nextBoolean() ? 0 : 1);
                Set<Integer> hits = new TreeSet<>(answer.ranks);
                hits.retainAll(truth.ranks);
                right += hits.size();
                said += answer.ranks.size();
                planted += truth.ranks.size();
                if (!answer.ranks.equals(truth.ranks) || !answer.kind.equals(fault)) {
                    misses.add(fault + truth.ranks + " of " + job.world + ": said " + answer);
                }
            }
        }
        double precision = right / (double) said;
        double recall = right / (double) planted;
        String figures = "precision " + precision + ", recall " + recall + "; " + misses;
        assertTrue(precision >= 0.99 && recall >= 0.99, figures);
    }

    @Test
    void innocentRanksChangeNothing() throws IOException {
        Random random = new Random(5);
        for (String fault : FAULTS) {
            int[] shape = {3, 2, 2};
            long seed = random.nextLong();
            Said first = null;
            for (int replicas : new int[] {3, 6, 12}) {
                MadeJob job = new MadeJob(replicas, shape[1], shape[2], STEPS);
                Planted truth = plant(job, fault, shape, new Random(seed));
                job.run();
                Said now = said(job, truth, 2000, false, 0);
                first = first == null ? now : first;
                assertEquals(first, now, fault + " with " + job.world + " ranks");
            }
        }
    }

    @Test
    void aHealthyJobHasNoFault() throws IOException {
        MadeJob job = new MadeJob(4, 2, 2, STEPS);
        job.run();
        assertEquals(Set.of(), said(job, new Planted("none", Set.of()), 2000, false, 0).ranks);
    }

    private static int[] shape(Random random) {
        while (true) {
            int dp = 3 + random.nextInt(Math.max(1, LARGEST / 4));
            int tp = 1 << random.nextInt(3);
            int pp = 1 << random.nextInt(3);
            if (dp * tp * pp <= LARGEST) {
                return new int[] {dp, tp, pp};
            }
        }
    }

    /** Puts the fault into the ranks of the first replicas that the shape has. */
    private static Planted plant(MadeJob job, String fault, int[] shape, Random random) {
        int within = shape[0] * shape[1] * shape[2];
        int bad = random.nextInt(within);
        int n = 4 + random.nextInt(6);
        List<Op> ops = job.programs.get(bad);
        int at = job.defaultCall(bad, n);
        Op op = ops.get(at);
        switch (fault) {
            case "absent" -> job.absent.put(bad, 5 + random.nextInt(ops.size() - 12));
            case "silent" -> job.absent.put(bad, at);
            case "device" ->
                    job.stalls.put(bad, job.callAt(bad, random.nextBoolean() ? 30 : 32, 3));
            case "shape" -> ops.set(at, new Op(0, op.name(), op.elements() * 2, op.line()));
            case "dtype" ->
                    ops.set(at, new Op(0, op.name(), op.elements(), "Double", -1, op.line()));
            case "operation" -> ops.set(at, new Op(0, "all_gather", op.elements(), op.line()));
            case "order" -> {
                int first = job.callAt(bad, 30, 2);
                Op one = ops.get(first);
                ops.set(first, ops.get(first + 1));
                ops.set(first + 1, one);
            }
            case "left-out" -> ops.remove(at);
            case "extra" -> ops.add(at, new Op(0, "all_reduce", 5555, 99));
            case "ring" -> {
                // Only two ranks of a pair of groups can wait for each other without the rest.
                int tp = shape[1];
                if (tp != 2) {
                    return plant(job, "absent", shape, random, "absent");
                }
                int first = job.callAt(bad, 21, 2);
                Op one = ops.get(first);
                ops.set(first, ops.get(first + 1));
                ops.set(first + 1, one);
                return new Planted(fault, new TreeSet<>(Set.of(bad, bad ^ 1)));
            }
            case "p2p-ring" -> {
                int tp = shape[1];
                if (shape[2] < 2) {
                    return plant(job, "absent", shape, random, "absent");
                }
                int low = bad / tp % shape[2] == shape[2] - 1 ? bad - tp : bad;
                List<Op> mine = job.programs.get(low);
                Op send = mine.get(job.callAt(low, 23, 2));
                int high = low + tp;
                // Both receive first: the lower one waits for an answer before it sends.
                mine.add(
                        job.callAt(low, 23, 2),
                        new Op(send.group(), "recv", 64, "Float", send.peer(), 40));
                return new Planted(fault, new TreeSet<>(Set.of(low, high)));
            }
            default -> throw new IllegalArgumentException(fault);
        }
        return new Planted(fault, Set.of(bad));
    }

    private static Planted plant(
            MadeJob job, String fault, int[] shape, Random random, String named) {
        return new Planted(named, plant(job, fault, shape, random).ranks);
    }

    /** What the facts say, the way the rules weigh them: a call that differs first. */
    private static Said said(MadeJob job, Planted truth, int kept, boolean json, int lost)
            throws IOException {
        Dumps dumps = new Dumps();
        ObjectMapper mapper = new ObjectMapper();
        int left = lost;
        for (int rank = 0; rank < job.world; rank++) {
            boolean faulty = truth.ranks.contains(rank);
            if (truth.fault.equals("silent") && faulty
                    || !faulty && !truth.fault.equals("silent") && left-- > 0 && job.world > 8) {
                continue;
            }
            Object dump = job.dump(rank, kept);
            byte[] data = json ? mapper.writeValueAsBytes(dump) : PickleWriter.write(dump);
            dumps.add(rank, "dump_" + rank, data);
        }
        Said best = new Said("none", Set.of());
        for (Observed o : dumps.facts()) {
            Fact fact = o.fact();
            if (fact instanceof CollectiveState c && c.mismatch() != null) {
                return new Said(c.mismatch(), new TreeSet<>(c.odd()));
            }
            if (fact instanceof Stall s && !s.kind().equals("together")) {
                best = new Said(s.kind(), new TreeSet<>(s.ranks()));
            }
        }
        return best;
    }
}

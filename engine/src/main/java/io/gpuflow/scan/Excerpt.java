package io.gpuflow.scan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells lines that somebody picked out of a log: what always comes with them is missing, so where
 * they end says nothing about where the job stood.
 */
final class Excerpt {
    private static final Pattern THREAD =
            Pattern.compile("([\\w.-]+:\\d+):(\\d+) \\[\\d+\\] (?:NCCL )?INFO (.*)");

    /** A process that has a path to another has told its interfaces and network before. */
    private static final Pattern LATE =
            Pattern.compile(
                    "(?:Channel|Ring) \\d+\\S* : .* via |Connected all |NET/IB: Dev \\d+ Port"
                            + "|.* - Init COMPLETE");

    /** Up to NCCL 2.4 a thread tells what it is before its rings. */
    private static final Pattern RING = Pattern.compile("Ring \\d+ : .* via .*");

    private static final Pattern READY =
            Pattern.compile("rank (\\d+) nranks (\\d+) .*- Init COMPLETE");

    /** One thread writes the list of all channels at once. */
    private static final Pattern CHANNEL = Pattern.compile("Channel (\\d+)/(\\d+) : +\\d+(?: .*)?");

    private static final Pattern STARS = Pattern.compile(".*\\*{20,}\\s*");
    private static final String BANNER = "Setting OMP_NUM_THREADS environment variable";

    private final Set<String> processes = new HashSet<>();
    private final Set<String> threads = new HashSet<>();
    private final Map<String, Set<Integer>> channels = new HashMap<>();
    private final Set<Integer> ready = new TreeSet<>();
    private int world = Integer.MAX_VALUE;
    private boolean late;
    private boolean picked;

    private Excerpt() {}

    static boolean of(List<String> lines) {
        Excerpt e = new Excerpt();
        for (int i = 0; i < lines.size(); i++) {
            boolean banner = lines.get(i).contains(BANNER);
            e.picked |= banner && (i == 0 || !STARS.matcher(lines.get(i - 1)).matches());
            Matcher m = THREAD.matcher(lines.get(i));
            if (m.find()) {
                e.take(m.group(1), m.group(1) + ":" + m.group(2), m.group(3));
            }
        }
        return e.picked
                || e.late && e.ready.size() < e.world
                || e.channels.entrySet().stream().anyMatch(Excerpt::incomplete);
    }

    private void take(String process, String thread, String message) {
        late |= processes.add(process) && LATE.matcher(message).lookingAt();
        picked |= threads.add(thread) && RING.matcher(message).matches();
        Matcher r = READY.matcher(message);
        if (r.find()) {
            ready.add(Prefix.number(r.group(1)));
            world = Prefix.number(r.group(2));
        }
        Matcher c = CHANNEL.matcher(message);
        if (c.matches()) {
            channels.computeIfAbsent(thread + "/" + c.group(2), k -> new TreeSet<>())
                    .add(Prefix.number(c.group(1)));
        }
    }

    private static boolean incomplete(Map.Entry<String, Set<Integer>> list) {
        String key = list.getKey();
        return list.getValue().size() < Prefix.number(key.substring(key.lastIndexOf('/') + 1));
    }
}

package io.gpuflow.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What repeats from dump to dump of a job, kept once; several threads may ask. */
final class Once {
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final Map<Object, Object> known = new ConcurrentHashMap<>();
    private final Map<String, List<Integer>> members = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();

    /** What is kept, about. */
    long bytes() {
        return bytes.get();
    }

    /** Counts what each dump keeps for itself. */
    void add(long more) {
        bytes.addAndGet(more);
    }

    /** The first value equal to this one. */
    @SuppressWarnings("unchecked")
    <T> T of(T value) {
        T before = (T) known.putIfAbsent(value, value);
        if (before == null) {
            add(value instanceof String text ? 64 + text.length() : 128);
        }
        return before == null ? value : before;
    }

    /** The ranks of a text like "[0, 1, 2]", which stands in every member's dump. */
    List<Integer> ranks(String text) {
        return members.computeIfAbsent(text, this::numbers);
    }

    private List<Integer> numbers(String text) {
        List<Integer> found = new ArrayList<>();
        Matcher m = NUMBER.matcher(text);
        while (m.find() && m.group().length() < 9) {
            found.add(Integer.valueOf(m.group()));
        }
        add(128 + text.length() + 20L * found.size());
        return List.copyOf(found);
    }
}

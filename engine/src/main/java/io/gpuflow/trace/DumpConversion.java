package io.gpuflow.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One dump on its way from plain values to records. What repeats from entry to entry (names,
 * operations, frames) is worked out once.
 *
 * <p>The keys: pytorch/pytorch torch/csrc/distributed/c10d/FlightRecorder.hpp and
 * FlightRecorderDetail.hpp.
 */
final class DumpConversion {
    private static final Pattern PEERS =
            Pattern.compile("(?<!\\d)(\\d++)\\s*+(?:->|<-)\\s*+(\\d++)");

    /** Frames of these are torch's own; the first other one is the user's. */
    private static final Pattern LIBRARY =
            Pattern.compile("/(site|dist)-packages/|/torch/|^<|/lib/python3|_dynamo|<frozen");

    /**
     * A hostile dump may name one long list in a million entries. A real entry looks at some 20
     * frames and sizes, and no recorder keeps more than a million entries.
     */
    private static final int MOST_LOOKED_AT = 100_000_000;

    /** Longer than any name; each may stand in a million entries. */
    private static final int LONGEST_TEXT = 512;

    private static final int LONGEST_PATH = 4_096;
    private static final int LONGEST_NUMBER = 20;
    private static final int LONGEST_LIST = 64;

    /** The ranks of a group, as text; a million of them need no more. */
    private static final int LONGEST_RANKS = 8_000_000;

    private static final int MOST_GROUPS = 50_000;

    private final int rank;
    private final String file;
    private final Dict top;
    private final Once once;
    private final Map<String, Integer> groupIndex = new LinkedHashMap<>();
    private final Map<String, String> kinds = new HashMap<>();
    private final Map<String, List<Integer>> members = new HashMap<>();
    private final Map<Integer, String> statusId = new HashMap<>();
    private final Map<String, Named> named = new HashMap<>();
    private final Map<Call.Operation, Call.Operation> operations = new HashMap<>();
    private final Map<Dict, String> lines = new IdentityHashMap<>();

    /** File name by path; empty for a file of a library. */
    private final Map<String, String> files = new HashMap<>();

    private final Column processGroup = new Column("process_group");
    private final Column groupName = new Column("pg_name");
    private final Column groupId = new Column("pg_id");
    private final Column profilingName = new Column("profiling_name");
    private final Column collectiveSequence = new Column("collective_seq_id");
    private final Column p2pSequence = new Column("p2p_seq_id");
    private final Column oldSequence = new Column("seq_id");
    private final Column inputSizes = new Column("input_sizes");
    private final Column inputTypes = new Column("input_dtypes");
    private final Column state = new Column("state");
    private final Column frames = new Column("frames");
    private int lookedAt;

    /** A key of the entries, looked for first where it stood in the entry before. */
    private static final class Column {
        private final String key;
        private int place = -1;
        private Object found;

        Column(String key) {
            this.key = key;
        }

        Object of(Dict entry) {
            if (place >= 0 && place < entry.size() && entry.key(place) == found) {
                return entry.value(place);
            }
            place = entry.place(key);
            found = place < 0 ? null : entry.key(place);
            return place < 0 ? null : entry.value(place);
        }
    }

    /** A profiling name taken apart. */
    private record Named(String operation, int peer) {}

    DumpConversion(int rank, String file, Dict top, Once once) {
        this.rank = rank;
        this.file = file;
        this.top = top;
        this.once = once;
    }

    RankDump dump() throws TraceException {
        Dict configs = dict(top.get("pg_config"));
        for (int i = 0; i < configs.size(); i++) {
            group(plain(configs.key(i)), dict(configs.value(i)));
        }
        List<?> entries = list(top.get("entries"));
        List<Call> calls = new ArrayList<>(entries.size());
        for (Object entry : entries) {
            if (profilingName.of(dict(entry)) != null) {
                calls.add(call(dict(entry)));
            }
        }
        if (calls.isEmpty() && !entries.isEmpty()) {
            throw new TraceException("none of its entries names an operation");
        }
        Dict status = dict(top.get("pg_status"));
        List<RankDump.Group> groups = new ArrayList<>();
        groupIndex.forEach(
                (name, index) -> {
                    Dict state = dict(status.get(statusId.getOrDefault(index, "")));
                    groups.add(
                            new RankDump.Group(
                                    name,
                                    kinds.get(name),
                                    members.getOrDefault(name, List.of()),
                                    number(state.get("last_enqueued_collective"), -1),
                                    number(state.get("last_completed_collective"), -1)));
                });
        return new RankDump(rank, file, plain(top.get("version")), groups, calls);
    }

    private void group(String name, Dict config) throws TraceException {
        String key = once.of(name);
        index(key);
        kinds.putIfAbsent(key, once.of(plain(config.get("desc"))));
        String ranks =
                config.get("ranks") instanceof String text ? text : joined(config.get("ranks"));
        if (ranks.length() > LONGEST_RANKS) {
            throw new TraceException("a group has more ranks than any real job");
        }
        look(ranks.length());
        members.put(key, once.ranks(ranks));
    }

    private int index(String name) throws TraceException {
        Integer known = groupIndex.get(name);
        if (known != null) {
            return known;
        }
        if (groupIndex.size() == MOST_GROUPS) {
            throw new TraceException("it has more than " + MOST_GROUPS + " process groups");
        }
        groupIndex.put(once.of(name), groupIndex.size());
        return groupIndex.size() - 1;
    }

    private String joined(Object ranks) throws TraceException {
        StringBuilder joined = new StringBuilder();
        for (Object rank : list(ranks)) {
            String text = plain(rank);
            look(1 + text.length());
            joined.append(text).append(", ");
        }
        return joined.toString();
    }

    private Call call(Dict entry) throws TraceException {
        List<?> pair = list(processGroup.of(entry));
        String name = pair.isEmpty() ? plain(groupName.of(entry)) : plain(pair.get(0));
        int group = index(name);
        if (pair.size() > 1) {
            kinds.computeIfAbsent(name, n -> once.of(plain(pair.get(1))));
        }
        if (groupId.of(entry) != null) {
            statusId.computeIfAbsent(group, g -> plain(groupId.of(entry)));
        }
        Named call = named.computeIfAbsent(plain(profilingName.of(entry)), this::named);
        boolean p2p = call.peer >= 0;
        long sequence = number((p2p ? p2pSequence : collectiveSequence).of(entry), -1);
        if (sequence < 0) {
            sequence = number(oldSequence.of(entry), -1);
        }
        Call.Operation what =
                new Call.Operation(
                        call.operation,
                        call.peer,
                        elements(inputSizes.of(entry)),
                        types(list(inputTypes.of(entry))));
        return new Call(
                group,
                sequence,
                operations.computeIfAbsent(what, once::of),
                "completed".equals(state.of(entry)),
                where(list(frames.of(entry))));
    }

    /** "nccl:send 0->1": what stands before the colon is the backend. */
    private Named named(String full) {
        String operation = full.substring(full.indexOf(':') + 1);
        Matcher peers = PEERS.matcher(operation);
        int blank = operation.indexOf(' ');
        if (blank < 0 || !peers.find() || peers.group(2).length() > 8) {
            return new Named(once.of(operation), -1);
        }
        return new Named(once.of(operation.substring(0, blank)), Integer.parseInt(peers.group(2)));
    }

    private String where(List<?> frames) throws TraceException {
        for (Object value : frames) {
            look(1);
            String line = lines.get(dict(value));
            if (line == null) {
                line = line(dict(value));
                look(line.length());
                lines.put(dict(value), line);
            }
            if (!line.isEmpty()) {
                return line;
            }
        }
        return null;
    }

    /** "train.py:49 in step", or nothing for a frame of a library. */
    private String line(Dict frame) {
        String path = frame.get("filename") instanceof String text ? text : "";
        String name = files.computeIfAbsent(path, DumpConversion::file);
        return name.isEmpty()
                ? ""
                : once.of(
                        name
                                + ":"
                                + number(frame.get("line"), 0)
                                + " in "
                                + plain(frame.get("name")));
    }

    private static String file(String path) {
        String whole = cut(path, LONGEST_PATH);
        return LIBRARY.matcher(whole).find()
                ? ""
                : cut(whole.substring(whole.lastIndexOf('/') + 1), LONGEST_TEXT);
    }

    private String types(List<?> types) throws TraceException {
        if (types.size() == 1) {
            return plain(types.get(0));
        }
        Set<String> distinct = new LinkedHashSet<>();
        for (Object type : types) {
            String text = plain(type);
            look(1 + text.length() / 8);
            distinct.add(text);
        }
        return cut(String.join("/", distinct), LONGEST_TEXT);
    }

    private long elements(Object sizes) throws TraceException {
        if (!(sizes instanceof List<?> tensors)) {
            return -1;
        }
        long total = 0;
        for (Object tensor : tensors) {
            List<?> dimensions = list(tensor);
            look(1 + dimensions.size());
            long product = 1;
            for (Object size : dimensions) {
                product *= number(size, 1);
            }
            total += product;
        }
        return total;
    }

    private void look(int at) throws TraceException {
        lookedAt += at;
        if (lookedAt > MOST_LOOKED_AT) {
            throw new TraceException("its entries hold more than any real dump's");
        }
    }

    /**
     * Text, number, or a list of those as text. Never what is nested: a hostile dump may hold
     * itself or a list of lists of the same list, whose text has no end.
     */
    private static String plain(Object value) {
        if (value instanceof String text) {
            return cut(text, LONGEST_TEXT);
        }
        if (value instanceof List<?> items) {
            StringBuilder text = new StringBuilder("[");
            for (Object item : items.subList(0, Math.min(items.size(), LONGEST_LIST))) {
                String one = item instanceof List<?> ? "?" : plain(item);
                text.append(text.length() > 1 ? ", " : "").append(one);
                if (text.length() > LONGEST_TEXT) {
                    break;
                }
            }
            return cut(text.append(']').toString(), LONGEST_TEXT);
        }
        return value instanceof Dict ? "?" : String.valueOf(value);
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest);
    }

    private static Dict dict(Object value) {
        return value instanceof Dict dict ? dict : Dict.EMPTY;
    }

    private static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static long number(Object value, long otherwise) {
        if (value instanceof Number n) {
            return n.longValue();
        }
        if (value instanceof String s && s.length() <= LONGEST_NUMBER) {
            try {
                return Long.parseLong(s);
            } catch (NumberFormatException e) {
                return otherwise;
            }
        }
        return otherwise;
    }
}

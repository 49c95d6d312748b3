package io.gpuflow.parse;

import io.gpuflow.facts.Observed;
import io.gpuflow.facts.RankStack;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Python stacks of the processes of a job: what {@code py-spy dump} prints, and faulthandler.
 * Of each process the main thread counts, and its last stack when there are several.
 */
public final class StackDumps implements Parser<StackDumps.Reading> {
    private static final Pattern TAG =
            Pattern.compile(
                    "^\\[(?:rank|default)(\\d{1,6})\\]: ?|^\\[\\d+,(\\d{1,6})\\](?:<std\\w+>)?: ?|^(\\d{1,5}): ");
    private static final Pattern PROCESS = Pattern.compile("Process (\\d{1,9}): (.*)");
    private static final Pattern SPY_THREAD =
            Pattern.compile("Thread (?:0x)?(\\w+) \\((?:idle|active)\\S*\\)(?:: \"(.*)\")?");
    private static final Pattern SPY_FRAME = Pattern.compile("\\s+(\\S.*?) \\((.+):(\\d{1,9})\\)");
    private static final Pattern FAULT_THREAD =
            Pattern.compile("(?:Current t|T)hread 0x[0-9a-f]+ .*\\(most recent call first\\):");
    private static final Pattern FAULT_FRAME =
            Pattern.compile("\\s*File \"(.+)\", line (\\d{1,9}) in (.+)");
    private static final Pattern RANK_OPTION =
            Pattern.compile("--(?:global[-_]|node[-_])?rank[= ](\\d{1,6})(?= |$)");
    private static final Pattern RANK_TITLE =
            Pattern.compile("(?i)^\\W*(?:\\w+ )?rank[ _:=-]*(\\d{1,6})\\W*(?:pid.*)?$");
    private static final Pattern RANK_IN_NAME = Pattern.compile("rank[-_.]?(\\d{1,6})[^/]*$");

    /** A process and where its main thread stood; line is where the stack begins. */
    public record Stack(
            Integer rank, Integer pid, String at, String call, String where, int line) {}

    /** The stacks, one a process. */
    public record Reading(List<Stack> stacks, String error, List<String> unparsed)
            implements Report {
        @Override
        public List<Observed> facts(String sourceName) {
            Matcher m = RANK_IN_NAME.matcher(sourceName);
            Integer named = stacks.size() == 1 && m.find() ? Integer.valueOf(m.group(1)) : null;
            List<Observed> facts = new ArrayList<>();
            for (Stack s : stacks) {
                Integer rank = s.rank != null ? s.rank : named;
                String text = s.where == null ? "stack of a process" : "stack at " + s.where;
                facts.add(
                        new Observed(
                                new RankStack(rank, s.pid, s.at, s.call, s.where),
                                new Source(sourceName, s.line, text)));
            }
            return facts;
        }
    }

    @Override
    public String kind() {
        return "stacks";
    }

    @Override
    public int recognises(String head) {
        if (!head.contains("hread ")) {
            return 0;
        }
        for (String raw : head.split("\n")) {
            String line = TAG.matcher(Lines.plain(raw)).replaceFirst("").stripTrailing();
            if (FAULT_THREAD.matcher(line).matches() || SPY_THREAD.matcher(line).matches()) {
                return 85;
            }
        }
        return 0;
    }

    /** The lines of one rank, or those without a tag. */
    private static final class Stream {
        Integer rank;
        Integer pid;
        boolean main;
        boolean inThread;
        int line;
        List<StackPlace.Frame> frames = new ArrayList<>();
        Stack best;
        boolean bestIsMain;
    }

    @Override
    public Reading parse(String text) {
        Map<String, Stream> streams = new LinkedHashMap<>();
        List<Stack> found = new ArrayList<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            String raw = Lines.plain(line);
            number++;
            Matcher tag = TAG.matcher(raw);
            String rank = null;
            if (tag.find()) {
                rank = tag.group(1) != null ? tag.group(1) : tag.group(2);
                rank = rank != null ? rank : tag.group(3);
            }
            String message = rank == null ? raw : raw.substring(tag.end());
            Integer of = rank == null ? null : Integer.valueOf(rank);
            Stream stream = streams.computeIfAbsent(String.valueOf(of), k -> new Stream());
            stream.rank = of != null ? of : stream.rank;
            take(stream, message.stripTrailing(), number, found);
        }
        streams.values().forEach(s -> finish(s, found));
        Map<String, Stack> last = new LinkedHashMap<>();
        found.forEach(s -> last.put(s.rank + "/" + s.pid, s));
        List<Stack> stacks = List.copyOf(last.values());
        return new Reading(stacks, stacks.isEmpty() ? "no stack is told" : null, List.of());
    }

    private static void take(Stream s, String line, int number, List<Stack> found) {
        Matcher process = PROCESS.matcher(line);
        Matcher spy = SPY_THREAD.matcher(line);
        Matcher spyFrame = SPY_FRAME.matcher(line);
        Matcher fault = FAULT_FRAME.matcher(line);
        Matcher title = RANK_TITLE.matcher(line);
        if (process.matches()) {
            finish(s, found);
            s.pid = Integer.valueOf(process.group(1));
            Matcher option = RANK_OPTION.matcher(process.group(2));
            s.rank = option.find() ? Integer.valueOf(option.group(1)) : s.rank;
        } else if (spy.matches()) {
            begin(s, number, "MainThread".equals(spy.group(2)));
        } else if (FAULT_THREAD.matcher(line).matches()) {
            begin(s, number, false);
        } else if (s.inThread && spyFrame.matches()) {
            int at = Integer.parseInt(spyFrame.group(3));
            s.frames.add(new StackPlace.Frame(spyFrame.group(1), spyFrame.group(2), at));
        } else if (s.inThread && fault.matches()) {
            int at = Integer.parseInt(fault.group(2));
            s.frames.add(new StackPlace.Frame(fault.group(3), fault.group(1), at));
        } else {
            end(s);
            if (title.matches()) {
                finish(s, found);
                s.rank = Integer.valueOf(title.group(1));
            }
        }
    }

    private static void begin(Stream s, int number, boolean main) {
        end(s);
        s.inThread = true;
        s.main = main;
        s.line = number;
    }

    /** Of threads without names the main one is that which runs the module. */
    private static void end(Stream s) {
        if (s.inThread && !s.frames.isEmpty()) {
            String outermost = s.frames.get(s.frames.size() - 1).function();
            boolean main = s.main || outermost.equals("<module>");
            if (main || s.best == null && !s.bestIsMain) {
                StackPlace.Place p = StackPlace.of(s.frames);
                s.best = new Stack(s.rank, s.pid, p.at(), p.call(), p.where(), s.line);
                s.bestIsMain = main;
            }
        }
        s.inThread = false;
        s.frames = new ArrayList<>();
    }

    private static void finish(Stream s, List<Stack> found) {
        end(s);
        if (s.best != null && s.bestIsMain) {
            Stack b = s.best;
            found.add(new Stack(s.rank, s.pid, b.at, b.call, b.where, b.line));
        }
        s.best = null;
        s.bestIsMain = false;
        s.pid = null;
    }
}

package io.gpuflow.trace;

import io.gpuflow.facts.CollectiveState;
import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.RankState;
import io.gpuflow.facts.Source;
import io.gpuflow.facts.Stall;
import io.gpuflow.facts.WaitFor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The Flight Recorder dumps of one job: give it each file, then take the facts. */
public final class Dumps {
    private final DumpReader reader;
    private final Map<Integer, RankDump> byRank = new HashMap<>();

    public Dumps() {
        this(new DumpReader());
    }

    /**
     * @param reader one for all dumps that are read together, so that equal texts are kept once
     */
    public Dumps(DumpReader reader) {
        this.reader = reader;
    }

    /** Takes over another folder's dumps when they are of other ranks; else false. */
    public boolean join(Dumps other) {
        if (other.byRank.keySet().stream().anyMatch(byRank::containsKey)) {
            return false;
        }
        byRank.putAll(other.byRank);
        return true;
    }

    /**
     * Adds one dump; several threads may do so.
     *
     * @param rank global rank
     * @throws TraceException when it can't be read; the others still can
     */
    public void add(int rank, String file, byte[] data) throws TraceException {
        RankDump dump = reader.read(rank, file, data);
        RankDump before;
        synchronized (byRank) {
            before = byRank.putIfAbsent(rank, dump);
        }
        if (before != null) {
            throw new TraceException("a second dump of rank " + rank + "; the first one was taken");
        }
    }

    public boolean isEmpty() {
        return byRank.isEmpty();
    }

    /** True when some rank has something open. */
    public boolean hangs() {
        return new WaitGraph(byRank.values()).hangs();
    }

    /** What the dumps together say, with the files that say it. */
    public List<Observed> facts() {
        WaitGraph graph = new WaitGraph(byRank.values());
        List<Observed> facts = new ArrayList<>();
        for (Fact fact : graph.facts()) {
            facts.add(new Observed(fact, source(fact)));
        }
        return facts;
    }

    private Source source(Fact fact) {
        if (fact instanceof WaitFor w) {
            return new Source(byRank.get(w.rank()).file(), 0, "rank " + w.rank() + " " + w.why());
        }
        if (fact instanceof RankState s) {
            return new Source(
                    byRank.get(s.rank()).file(),
                    0,
                    "rank " + s.rank() + ": " + s.state() + at(s.where()));
        }
        if (fact instanceof Stall s) {
            RankDump dump = byRank.get(s.ranks().get(0));
            String name = dump == null ? "Flight Recorder dumps" : dump.file();
            return new Source(
                    name,
                    0,
                    s.operation() + " " + s.sequence() + " of " + s.group() + at(s.where()));
        }
        CollectiveState c = (CollectiveState) fact;
        List<Integer> about =
                !c.odd().isEmpty() ? c.odd() : !c.joined().isEmpty() ? c.joined() : c.members();
        RankDump dump = about.isEmpty() ? null : byRank.get(about.get(0));
        String text = c.operation() + " " + c.sequence() + " of " + c.group();
        String differs =
                c.mismatch() == null
                        ? ""
                        : ": " + c.expected() + ", but " + c.found() + " on rank " + about.get(0);
        return new Source(
                dump == null ? "Flight Recorder dumps" : dump.file(),
                0,
                text + differs + at(c.where()));
    }

    private static String at(String where) {
        return where == null ? "" : " at " + where;
    }
}

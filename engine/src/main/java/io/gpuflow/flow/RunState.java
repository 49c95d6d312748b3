package io.gpuflow.flow;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the parts of a run share while it goes on. */
final class RunState {
    private final RunSetup setup;
    private final RunFolder folder;
    private final Journal journal;
    private final Ledger ledger;
    private final Order order;
    private final Results results;
    private final RunEvents events;
    private final AtomicBoolean interrupted = new AtomicBoolean();

    RunState(RunSetup setup, RunFolder folder, Journal journal, Ledger ledger) {
        this.setup = setup;
        this.folder = folder;
        this.journal = journal;
        this.ledger = ledger;
        this.order = new Order(setup.workflow());
        this.events = new MaskedEvents(setup.events(), setup.secrets());
        this.results = new Results(order, setup.inputs());
    }

    RunSetup setup() {
        return setup;
    }

    RunFolder folder() {
        return folder;
    }

    Ledger ledger() {
        return ledger;
    }

    Order order() {
        return order;
    }

    Results results() {
        return results;
    }

    RunEvents events() {
        return events;
    }

    AtomicBoolean interrupted() {
        return interrupted;
    }

    /** Writes down what happened; the run goes on only when it is on disk. */
    void record(Entry entry) {
        ledger.add(journal.append(entry));
    }

    /** Asks the rules of some areas what they make of the facts. */
    Judgement judge(Collection<Observed> facts, List<String> areas) {
        return setup.rules().get().judge(facts, new LinkedHashSet<>(areas));
    }
}

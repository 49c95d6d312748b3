package io.gpuflow.step;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import java.util.List;

/** What is known so far, by type. */
final class KnownFacts {
    private final List<Fact> facts;

    private KnownFacts(List<Fact> facts) {
        this.facts = facts;
    }

    static KnownFacts of(List<Observed> observed) {
        return new KnownFacts(observed.stream().map(Observed::fact).toList());
    }

    static KnownFacts ofFacts(List<? extends Fact> facts) {
        return new KnownFacts(List.copyOf(facts));
    }

    /** All facts of a type, in the order in which they were observed. */
    <T extends Fact> List<T> all(Class<T> type) {
        return facts.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The one observed last, or null. */
    <T extends Fact> T last(Class<T> type) {
        List<T> all = all(type);
        return all.isEmpty() ? null : all.get(all.size() - 1);
    }

    /** Why facts of this type could not be told, or null when nobody said so. */
    String whyUnknown(Class<? extends Fact> type) {
        return all(Unknown.class).stream()
                .filter(u -> u.what().equals(type.getSimpleName()))
                .map(Unknown::why)
                .findFirst()
                .orElse(null);
    }
}

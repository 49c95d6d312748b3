package io.gpuflow.rules;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Setting;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.kie.api.KieBase;
import org.kie.api.runtime.rule.ConsequenceException;

/**
 * Runs the rules so that an own rule of the site that throws, or does not end, stops nothing else:
 * it is left out, the facts are judged again, and what was wrong with it is told.
 */
final class GuardedSession {
    /** The shipped rules take a tenth of a second. */
    static final int MOST_SECONDS = 10;

    private static final String NO_END = "it did not end within " + MOST_SECONDS + " s";

    private final Bases bases;
    private final Set<String> own;
    private final Map<String, String> failed = new TreeMap<>();
    private Set<String> reachable;
    private volatile RuleSession session;

    /**
     * @param own ids of the site's own rules in DRL
     */
    GuardedSession(Bases bases, Set<String> own) {
        this.bases = bases;
        this.own = own;
    }

    List<Conclusion> conclude(Collection<Fact> facts, Collection<Setting> settings) {
        reachable = bases.reachable(facts);
        if (reachable.isEmpty()) {
            session = new RuleSession(null); // nothing can fire, so the engine need not start
            return List.of();
        }
        while (true) {
            Outcome outcome = attempt(facts, settings, failed.keySet());
            Set<String> left = new TreeSet<>(reachable);
            left.retainAll(own);
            left.removeAll(failed.keySet());
            if (outcome.failure == null || left.isEmpty()) {
                return outcome.orThrow();
            }
            blame(outcome, left, facts, settings);
        }
    }

    /** What came of one try: conclusions, or why there are none. */
    private record Outcome(List<Conclusion> conclusions, Throwable failure, String rule) {
        List<Conclusion> orThrow() {
            if (conclusions != null) {
                return conclusions;
            }
            throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
        }
    }

    private Outcome attempt(
            Collection<Fact> facts, Collection<Setting> settings, Set<String> without) {
        if (without.containsAll(own)) {
            session = new RuleSession(base(without));
            return new Outcome(session.conclude(facts, settings), null, null);
        }
        FutureTask<List<Conclusion>> judging =
                new FutureTask<>(
                        () -> {
                            session = new RuleSession(base(without));
                            return session.conclude(facts, settings);
                        });
        Thread thread = new Thread(judging, "site-rules");
        thread.setDaemon(true);
        thread.start();
        try {
            List<Conclusion> conclusions = judging.get(MOST_SECONDS, TimeUnit.SECONDS);
            String endless = session.endless();
            boolean own = endless != null && this.own.contains(endless);
            return own
                    ? new Outcome(conclusions, new IllegalStateException(NO_END), endless)
                    : new Outcome(conclusions, null, null);
        } catch (ExecutionException e) {
            return new Outcome(null, e.getCause(), ruleOf(e.getCause()));
        } catch (TimeoutException e) {
            session.stop();
            return new Outcome(null, new IllegalStateException(NO_END), session.busiest());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the rules judged", e);
        }
    }

    private KieBase base(Set<String> without) {
        if (without.isEmpty()) {
            return bases.of(reachable);
        }
        Set<String> wanted = new TreeSet<>(reachable);
        wanted.removeAll(without);
        return bases.only(wanted);
    }

    private static String ruleOf(Throwable failure) {
        return failure instanceof ConsequenceException e ? e.getMatch().getRule().getName() : null;
    }

    /** Finds out which own rule failed: the one that is named, or each that fails alone. */
    private void blame(
            Outcome outcome,
            Set<String> left,
            Collection<Fact> facts,
            Collection<Setting> settings) {
        if (outcome.rule != null && left.contains(outcome.rule)) {
            failed.put(outcome.rule, words(outcome.failure));
            return;
        }
        boolean late = String.valueOf(outcome.failure.getMessage()).equals(NO_END);
        int before = failed.size();
        if (left.size() > 1 && !late) {
            for (String id : left) {
                Set<String> others = new TreeSet<>(own);
                others.remove(id);
                Outcome alone = attempt(facts, settings, others);
                if (alone.failure != null) {
                    failed.put(id, words(alone.failure));
                }
            }
        }
        if (failed.size() == before) {
            String all = left.size() == 1 ? "" : "one of " + String.join(", ", left) + ": ";
            left.forEach(id -> failed.put(id, all + words(outcome.failure)));
        }
    }

    private static String words(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String said = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return said.equals(NO_END) ? said : cause.getClass().getSimpleName() + ": " + said;
    }

    /** Own rules that failed, each with what was wrong. */
    Map<String, String> failed() {
        return failed;
    }

    /** The session that came to its end. */
    RuleSession session() {
        return session;
    }
}

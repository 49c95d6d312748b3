package io.gpuflow.rules;

import io.gpuflow.facts.Judgement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.drools.model.Model;
import org.drools.modelcompiler.KieBaseBuilder;

/** The rules that come with gpuflow, compiled at build time. */
public final class ShippedRules {
    /** Names of the compiled models, one a line; written by the build. */
    public static final String MODELS = "gpuflow/rules.models";

    /** What a lenient build left out, a problem a line; written by the build. */
    public static final String LEFT_OUT = "gpuflow/rules.left-out";

    private ShippedRules() {}

    /** The shipped rules; what they need of the compiled ones is loaded when they judge. */
    public static RuleBook load() {
        return loaded();
    }

    /** The shipped rules, loaded beside what the caller does until it judges. */
    public static RuleBook soon() {
        return soon(() -> Policy.shipped(cards()));
    }

    /**
     * The rules in force, loaded beside what the caller does until it judges. Most of a first
     * judgement is the start of Drools, whatever the rules: 60 of 80 ms.
     */
    public static RuleBook soon(Supplier<Policy> policy) {
        FutureTask<LoadedRules> loading = new FutureTask<>(() -> loaded(policy.get()));
        Thread thread =
                new Thread(
                        () -> {
                            loading.run();
                            result(loading).prepare();
                        },
                        "rules");
        thread.setUncaughtExceptionHandler((t, e) -> {}); // told to the one who judges
        thread.setDaemon(true);
        thread.start();
        return (facts, areas) -> result(loading).judge(facts, areas);
    }

    private static LoadedRules result(FutureTask<LoadedRules> loading) {
        try {
            return loading.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the rules were loaded", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the rules can't be loaded", e.getCause());
        }
    }

    public static LoadedRules loaded() {
        return loaded(Policy.shipped(cards()));
    }

    /** The rules as a site changes them, its own among them. */
    public static LoadedRules loaded(Policy policy) {
        return new LoadedRules(
                ids -> KieBaseBuilder.createKieBaseFromModel(models(ids, policy)),
                policy.and(leftOut().stream().map(ShippedRules::broken).toList()),
                List.of());
    }

    /** {@code rules/AREA/ID/rule.drl:9:1: what is wrong} as a rule that can't be used. */
    private static Judgement.Broken broken(String leftOut) {
        String[] folders = leftOut.split(":", 2)[0].split("/");
        int end = leftOut.indexOf(": ");
        return new Judgement.Broken(
                folders.length > 2 ? folders[2] : leftOut,
                end < 0 ? "" : leftOut.substring(0, end),
                end < 0 ? leftOut : leftOut.substring(end + 2));
    }

    /** Mistakes in rules of this clone, each with file, line and rule; such a rule is not there. */
    public static List<String> leftOut() {
        try (InputStream in = ShippedRules.class.getClassLoader().getResourceAsStream(LEFT_OUT)) {
            return in == null
                    ? List.of()
                    : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The cards by id, without the conditions. */
    public static Map<String, RuleCard> cards() {
        Map<String, RuleCard> cards = new TreeMap<>();
        try (InputStream in = resource(CardIndex.RESOURCE)) {
            CardIndex.read(ByteBuffer.wrap(in.readAllBytes()))
                    .forEach(card -> cards.put(card.id(), card));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cards;
    }

    /** The compiled rules of these ids; each is one model. */
    private static List<Model> models(Set<String> ids, Policy policy) {
        Set<String> packages = new HashSet<>();
        List<Model> models = new ArrayList<>();
        for (String id : ids) {
            Model own = policy.models().get(id);
            if (own != null) {
                models.add(own);
            } else {
                packages.add(RulePackage.of(policy.cards().get(id).area(), id));
            }
        }
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(resource(MODELS), StandardCharsets.UTF_8))) {
            for (String name = in.readLine(); name != null; name = in.readLine()) {
                if (packages.contains(name.substring(0, name.lastIndexOf('.')))) {
                    models.add((Model) Class.forName(name).getDeclaredConstructor().newInstance());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the compiled rules do not fit this build", e);
        }
        return models;
    }

    private static InputStream resource(String name) {
        InputStream in = ShippedRules.class.getClassLoader().getResourceAsStream(name);
        if (in == null) {
            throw new IllegalStateException(name + " is missing: build gpuflow again");
        }
        return in;
    }
}

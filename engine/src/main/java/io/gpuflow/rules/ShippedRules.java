package io.gpuflow.rules;

import io.gpuflow.facts.Observed;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.drools.model.Model;
import org.drools.modelcompiler.KieBaseBuilder;
import org.kie.api.KieBase;

/** The rules that come with gpuflow, compiled at build time. */
public final class ShippedRules {
    /** Names of the compiled models, one a line; written by the build. */
    public static final String MODELS = "gpuflow/rules.models";

    private ShippedRules() {}

    /** The shipped rules; what they need of the compiled ones is loaded when they judge. */
    public static RuleBook load() {
        return loaded();
    }

    /** The shipped rules with all that is compiled loaded already, for judging at once later. */
    public static RuleBook warm() {
        LoadedRules rules = loaded();
        rules.warm();
        return rules;
    }

    public static LoadedRules loaded() {
        return loaded(areas -> KieBaseBuilder.createKieBaseFromModel(models(areas)));
    }

    /**
     * For one judgement: each call builds only the rules that may fire with its facts. The
     * judgement is the same as with all of them. The rules are read while the caller still gathers
     * facts.
     */
    public static RuleBook once() {
        FutureTask<List<Model>> models = new FutureTask<>(() -> models(null));
        Thread reading = new Thread(models, "rules");
        reading.setDaemon(true);
        reading.start();
        return (facts, areas) -> {
            Reachable reachable = new Reachable(facts.stream().map(Observed::fact).toList());
            List<Model> few = read(models).stream().map(reachable::of).toList();
            KieBase base = KieBaseBuilder.createKieBaseFromModel(few);
            return loaded(named -> base).judge(facts, areas);
        };
    }

    private static List<Model> read(FutureTask<List<Model>> models) {
        try {
            return models.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the rules were read", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the rules can't be read", e.getCause());
        }
    }

    private static LoadedRules loaded(Function<Set<String>, KieBase> source) {
        Map<String, RuleCard> cards = cards();
        return new LoadedRules(source, cards, LoadedRules.defaults(cards.values()), List.of());
    }

    /** The cards by id, without the conditions. */
    public static Map<String, RuleCard> cards() {
        Map<String, RuleCard> cards = new TreeMap<>();
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(resource(CardIndex.RESOURCE)))) {
            CardIndex.read(in).forEach(card -> cards.put(card.id(), card));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cards;
    }

    /** The compiled rules of these areas, or all of them for null; each area is one model. */
    private static List<Model> models(Set<String> areas) {
        List<Model> models = new ArrayList<>();
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(resource(MODELS), StandardCharsets.UTF_8))) {
            for (String name = in.readLine(); name != null; name = in.readLine()) {
                if (areas == null || areas.contains(area(name))) {
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

    /** gpuflow.rules.bench.Rules0123 is of the area bench. */
    private static String area(String model) {
        String pack = model.substring(0, model.lastIndexOf('.'));
        return pack.substring(pack.lastIndexOf('.') + 1);
    }

    private static InputStream resource(String name) {
        InputStream in = ShippedRules.class.getClassLoader().getResourceAsStream(name);
        if (in == null) {
            throw new IllegalStateException(name + " is missing: build gpuflow again");
        }
        return in;
    }
}

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
import java.util.TreeMap;
import org.drools.model.Model;
import org.drools.modelcompiler.KieBaseBuilder;

/** The rules that come with gpuflow, compiled at build time. */
public final class ShippedRules {
    /** Names of the compiled models, one a line; written by the build. */
    public static final String MODELS = "gpuflow/rules.models";

    private ShippedRules() {}

    /** Loads them with the settings of their cards. */
    public static RuleBook load() {
        return loaded();
    }

    public static LoadedRules loaded() {
        return loaded(models());
    }

    /**
     * For one judgement: each call builds only the rules that may fire with its facts. The
     * judgement is the same as with all of them.
     */
    public static RuleBook once() {
        return (facts, areas) -> {
            Reachable reachable = new Reachable(facts.stream().map(Observed::fact).toList());
            return loaded(models().stream().map(reachable::of).toList()).judge(facts, areas);
        };
    }

    private static LoadedRules loaded(List<Model> models) {
        Map<String, RuleCard> cards = cards();
        return new LoadedRules(
                KieBaseBuilder.createKieBaseFromModel(models),
                cards,
                LoadedRules.defaults(cards.values()),
                List.of());
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

    private static List<Model> models() {
        List<Model> models = new ArrayList<>();
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(resource(MODELS), StandardCharsets.UTF_8))) {
            for (String name = in.readLine(); name != null; name = in.readLine()) {
                models.add((Model) Class.forName(name).getDeclaredConstructor().newInstance());
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

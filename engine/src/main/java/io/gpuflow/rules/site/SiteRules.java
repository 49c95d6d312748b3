package io.gpuflow.rules.site;

import io.gpuflow.expr.Nearest;
import io.gpuflow.expr.Type;
import io.gpuflow.facts.Judgement.Broken;
import io.gpuflow.facts.Judgement.PolicyFile;
import io.gpuflow.facts.Setting;
import io.gpuflow.rules.FactScope;
import io.gpuflow.rules.LoadedRules;
import io.gpuflow.rules.Policy;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.SettingSpec;
import io.gpuflow.rules.check.Check;
import io.gpuflow.rules.check.CheckReader;
import io.gpuflow.rules.site.SitePolicy.Change;
import io.gpuflow.rules.site.SitePolicy.Exemption;
import io.gpuflow.rules.site.SitePolicy.Expected;
import io.gpuflow.rules.site.SitePolicy.Ignored;
import io.gpuflow.rules.site.SitePolicy.Kind;
import io.gpuflow.rules.site.SitePolicy.Named;
import io.gpuflow.rules.site.SitePolicy.Reason;
import io.gpuflow.scan.Signature;
import io.gpuflow.yaml.Problems;
import io.gpuflow.yaml.YamlNode;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Makes the rules in force out of the shipped ones and a site's policy. */
public final class SiteRules {
    /** Names that the condition of an exception may use. */
    private static final Type.Fields EXCEPTION =
            Type.fields(
                    "an exception",
                    Map.of(
                            "facts",
                            FactScope.type(),
                            "values",
                            Type.mapOf(Type.ANY),
                            "hosts",
                            Type.listOf(Type.TEXT),
                            "ranks",
                            Type.listOf(Type.INT)));

    private static final Type.Fields MACHINE =
            Type.fields("an expectation", Map.of("facts", FactScope.type()));

    /**
     * How a policy is loaded.
     *
     * @param today decides what has expired
     * @param evidence files and folders that are looked at: no code is loaded from below them
     * @param cache folder for compiled own rules, or null to keep none
     * @param progress told when something takes long
     */
    public record Setup(
            LocalDate today, Collection<Path> evidence, Path cache, Consumer<String> progress) {
        /** For a command of a person with this environment. */
        public static Setup of(Map<String, String> environment, Collection<Path> evidence) {
            return new Setup(
                    LocalDate.now(),
                    evidence,
                    CompiledCache.folder(environment),
                    text -> System.err.println("gpuflow: " + text));
        }
    }

    private final SitePolicy site;
    private final Map<String, RuleCard> shipped;
    private final Setup setup;
    private final Problems problems;
    private final Problems ownProblems = new Problems();
    private final Map<String, RuleCard> cards = new TreeMap<>();
    private final Map<String, List<Setting>> settings = new TreeMap<>();
    private final Set<String> ignored = new TreeSet<>();
    private final Map<String, Check> checks = new TreeMap<>();
    private final List<Policy.Exemption> exemptions = new ArrayList<>();
    private final List<Broken> broken = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<Signature> signatures = new ArrayList<>();
    private final Set<PolicyFile> files = new java.util.LinkedHashSet<>();
    private Map<String, Path> folders = Map.of();
    private Policy policy;

    private SiteRules(
            SitePolicy site, Map<String, RuleCard> shipped, Setup setup, Problems problems) {
        this.site = site;
        this.shipped = shipped;
        this.setup = setup;
        this.problems = problems;
    }

    /**
     * Loads a site.yaml and what it adds.
     *
     * @param file null for none
     * @param problems what is wrong with site.yaml itself: with any of it, nothing may be judged.
     *     What is wrong with the files it adds makes these rules broken and stops nothing else.
     */
    public static SiteRules load(
            Path file, Map<String, RuleCard> shipped, Setup setup, Problems problems) {
        SitePolicy site = file == null ? SitePolicy.NONE : SiteReader.read(file, problems);
        SiteRules rules =
                new SiteRules(site == null ? SitePolicy.NONE : site, shipped, setup, problems);
        rules.load();
        return rules;
    }

    /** The rules in force. */
    public Policy policy() {
        return policy;
    }

    /** What site.yaml says. */
    public SitePolicy site() {
        return site;
    }

    /** What is wrong with own rule files. */
    public Problems ownProblems() {
        return ownProblems;
    }

    /** The folder of each own rule in DRL, broken ones too, by id. */
    public Map<String, Path> folders() {
        return folders;
    }

    /** Own log signatures. */
    public List<Signature> signatures() {
        return signatures;
    }

    /** The files and folders that additions of a kind name and that hold today. */
    public List<Path> paths(Kind kind) {
        return site.add().stream()
                .filter(a -> a.kind() == kind && !a.reason().expired(setup.today()))
                .map(a -> a.resolved(site.file()))
                .toList();
    }

    void add(List<Signature> own) {
        signatures.addAll(own);
    }

    /** Own checks with their cases, by id; those made of expected figures among them. */
    public Map<String, Check> checks() {
        return checks;
    }

    private void load() {
        cards.putAll(shipped);
        file(site.file());
        OwnRules own = own();
        cards.putAll(own.cards());
        new OwnFiles(this).load(site);
        site.expected().forEach(this::expect);
        settings.putAll(LoadedRules.defaults(cards.values()));
        site.set().forEach(this::change);
        site.ignore().forEach(this::ignore);
        site.except().forEach(this::except);
        checks.replaceAll((id, check) -> check.with(cards.get(id)));
        policy =
                new Policy(
                        cards,
                        settings,
                        ignored,
                        checks.values().stream().filter(c -> !ignored.contains(c.id())).toList(),
                        own.models(),
                        List.copyOf(exemptions),
                        List.copyOf(broken),
                        List.copyOf(notes),
                        List.copyOf(files));
    }

    private OwnRules own() {
        Set<String> taken = new HashSet<>(shipped.keySet());
        shipped.values().forEach(card -> taken.addAll(card.aliases()));
        OwnRules own =
                new OwnRules(
                        taken,
                        new Trust(setup.evidence()),
                        new CompiledCache(setup.cache()),
                        setup.progress(),
                        ownProblems);
        List<Path> roots = new ArrayList<>();
        site.add().stream()
                .filter(a -> a.kind() == Kind.RULES && !expired("addition", a.path(), a.reason()))
                .forEach(a -> roots.add(a.resolved(site.file())));
        if (!roots.isEmpty()) {
            own.load(roots);
        }
        folders = own.folders();
        broken.addAll(own.broken());
        files.addAll(own.files());
        return own;
    }

    /** Notes a file of the policy with its hash. */
    void file(Path file) {
        if (file == null) {
            return;
        }
        try {
            byte[] bytes = java.nio.file.Files.readAllBytes(file);
            files.add(new PolicyFile(file.toString(), Hash.of(bytes)));
        } catch (java.io.IOException e) {
            // That it can't be read was told when it was.
        }
    }

    /** Whether an entry holds no longer; that is noted. */
    boolean expired(String what, String name, Reason reason) {
        if (!reason.expired(setup.today())) {
            return false;
        }
        notes.add(
                reason.at()
                        + ": the "
                        + what
                        + (name == null ? "" : " for " + name)
                        + " held until "
                        + reason.until()
                        + " and no longer applies; renew or remove it");
        return true;
    }

    /** Takes a check of the site's own; one that is wrong is told and left out. */
    void add(Check check, Problems told) {
        String id = check.id();
        String taken = null;
        if (Policy.id(shipped, id) != null) {
            taken = "is a shipped rule's";
        } else if (cards.containsKey(id)) {
            taken = "is there twice";
        }
        if (taken != null) {
            told.at(check.at(), "the id " + id + " " + taken, "name the check otherwise");
            if (told == ownProblems) {
                broken.add(new Broken(id, check.at().toString(), "its id " + taken));
            }
            return;
        }
        checks.put(id, check);
        cards.put(id, check.card());
    }

    void broken(Broken one) {
        broken.add(one);
    }

    Problems problems() {
        return problems;
    }

    /** Makes checks of expected figures. */
    void expect(Expected expected) {
        if (expired("expectation", expected.machine().id(), expected.reason())) {
            return;
        }
        int before = problems.count();
        CheckReader.checkCondition(expected.when(), expected.node(), MACHINE, problems);
        if (problems.count() == before) {
            Figures.checks(expected, slowed(), problems).forEach(check -> add(check, problems));
        }
    }

    /** What explains a bandwidth below the site's figure: what explains one below the links'. */
    private List<String> slowed() {
        RuleCard below = shipped.get("busbw-below-expected");
        return below == null ? List.of() : below.follows();
    }

    private void change(Change change) {
        RuleCard card = card(change.rule());
        boolean expired = expired("change", change.rule().id(), change.reason());
        if (card == null) {
            return;
        }
        Map<String, Setting> now = new LinkedHashMap<>();
        settings.get(card.id()).forEach(s -> now.put(s.name(), s));
        for (Map.Entry<Named, YamlNode> to : change.to().entrySet()) {
            SettingSpec spec = card.setting(to.getKey().id());
            if (spec == null) {
                List<String> known = card.settings().stream().map(SettingSpec::name).toList();
                problems.at(
                        to.getKey().at(),
                        card.id() + " has no setting " + to.getKey().id(),
                        known.isEmpty() ? "it has none" : Nearest.hint(to.getKey().id(), known));
                continue;
            }
            Setting set = SettingValue.read(card.id(), spec, to.getValue(), problems);
            if (set != null && !expired) {
                now.put(spec.name(), set);
            }
        }
        settings.put(card.id(), List.copyOf(now.values()));
        if (change.level() != null && !expired) {
            cards.put(card.id(), card.at(change.level()));
        }
    }

    private void ignore(Ignored entry) {
        RuleCard card = card(entry.rule());
        boolean expired = expired("ignore entry", entry.rule().id(), entry.reason());
        if (card != null && !expired) {
            if (!ignored.add(card.id())) {
                notes.add(
                        entry.reason().at() + ": " + card.id() + " is ignored already; remove it");
            }
            cards.put(card.id(), card.at(null));
        }
    }

    private void except(Exemption entry) {
        RuleCard card = card(entry.rule());
        boolean expired = expired("exception", entry.rule().id(), entry.reason());
        CheckReader.checkCondition(entry.when(), entry.node(), EXCEPTION, problems);
        if (card == null || expired) {
            return;
        }
        if (ignored.contains(card.id())) {
            notes.add(
                    entry.reason().at()
                            + ": the exception for "
                            + card.id()
                            + " is never used: the rule is ignored; remove one of the two");
            return;
        }
        exemptions.add(
                new Policy.Exemption(
                        card.id(),
                        entry.when(),
                        entry.reason().because(),
                        entry.reason().at().toString()));
    }

    /** The rule that an entry names; null when that was told to be wrong. */
    private RuleCard card(Named rule) {
        String id = Policy.id(cards, rule.id());
        if (id == null) {
            boolean known = broken.stream().anyMatch(b -> b.rule().equals(rule.id()));
            if (!known) {
                problems.at(
                        rule.at(),
                        "there is no rule " + rule.id(),
                        Nearest.hint(rule.id(), cards.keySet()));
            }
            return null;
        }
        if (!id.equals(rule.id())) {
            notes.add(rule.at() + ": the rule " + rule.id() + " is named " + id + " now");
        }
        return cards.get(id);
    }
}

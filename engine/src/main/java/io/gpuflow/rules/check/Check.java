package io.gpuflow.rules.check;

import io.gpuflow.expr.Expr;
import io.gpuflow.expr.Template;
import io.gpuflow.rules.RuleCard;
import io.gpuflow.rules.folder.RuleCase;
import io.gpuflow.yaml.Position;
import java.util.List;
import java.util.Set;

/**
 * A rule in YAML.
 *
 * @param card its policy; the words in it are still templates
 * @param when it speaks when this is known to be true
 * @param worse when this is true as well, its level is fail; null for never
 * @param says its line
 * @param why its reason, or null when it gives none
 * @param fixes text and cost of each of the card's remedies
 * @param reads fact types that the condition names, by simple name
 * @param cases facts and what it must make of them
 * @param at where it begins
 */
public record Check(
        RuleCard card,
        Expr when,
        Expr worse,
        Template says,
        Template why,
        List<FixWords> fixes,
        Set<String> reads,
        List<RuleCase> cases,
        Position at) {

    /** Words of a remedy. */
    public record FixWords(Template text, Template cost) {}

    /** The same check under another card: at another level. */
    public Check with(RuleCard other) {
        return new Check(other, when, worse, says, why, fixes, reads, cases, at);
    }

    public String id() {
        return card.id();
    }

    /** Whether it can be judged only when other rules have spoken. */
    public boolean buildsOnFindings() {
        return reads.contains("Finding");
    }
}

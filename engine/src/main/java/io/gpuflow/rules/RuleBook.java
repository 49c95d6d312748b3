package io.gpuflow.rules;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Observed;
import java.util.Collection;
import java.util.Set;

/** The rules in force: shipped ones and the site's, with their settings. */
public interface RuleBook {
    /**
     * Judges facts. The same facts in any order give the same judgement.
     *
     * @param areas rule areas to apply (hardware, driver, interconnect …); empty for all
     */
    Judgement judge(Collection<Observed> facts, Set<String> areas);
}

package io.gpuflow.cli;

import io.gpuflow.rules.folder.RuleFolder;
import io.gpuflow.rules.site.SiteRules;
import io.gpuflow.yaml.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The files of the rules in force.
 *
 * @param shipped gpuflow's own
 * @param own the site's in DRL; those that can't be read are told and left out
 */
record RuleSources(List<RuleFolder> shipped, List<RuleFolder> own) {
    static RuleSources of(SiteRules site, Problems problems) throws IOException {
        List<RuleFolder> own = new ArrayList<>();
        for (Map.Entry<String, Path> e : site.folders().entrySet()) {
            RuleFolder folder = RuleFolder.read(e.getValue(), e.getValue().toString(), problems);
            if (folder != null) {
                own.add(folder);
            }
        }
        return new RuleSources(RuleFiles.folders(problems), own);
    }

    List<RuleFolder> all() {
        List<RuleFolder> all = new ArrayList<>(shipped);
        all.addAll(own);
        return all;
    }
}

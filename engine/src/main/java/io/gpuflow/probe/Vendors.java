package io.gpuflow.probe;

import io.gpuflow.facts.Gpu;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Leaves one vendor's GPUs: facts name a GPU by its index alone, and a job runs on one vendor's.
 * What the other vendor's tools could not tell is then of no interest.
 */
final class Vendors {
    private Vendors() {}

    static List<Observed> chosen(List<Survey.Answered> answers) {
        Map<String, Set<Integer>> gpus = new TreeMap<>();
        for (Survey.Answered answer : answers) {
            for (Observed o : answer.facts()) {
                if (o.fact() instanceof Gpu gpu && gpu.vendor() != null) {
                    gpus.computeIfAbsent(gpu.vendor(), v -> new HashSet<>()).add(gpu.index());
                }
            }
        }
        String most = null;
        for (String vendor : gpus.keySet()) {
            if (most == null || gpus.get(vendor).size() >= gpus.get(most).size()) {
                most = vendor;
            }
        }
        List<Observed> facts = new ArrayList<>();
        for (Survey.Answered answer : answers) {
            String vendor = answer.probe().vendor();
            if (most == null || vendor == null || vendor.equals(most)) {
                facts.addAll(answer.facts());
            } else if (gpus.containsKey(vendor)) {
                int count = gpus.get(vendor).size();
                String why = count + " GPU(s) of " + vendor + " are there too and were left out";
                facts.add(
                        Answer.known(
                                new Unknown("Gpu(" + vendor + ")", why), answer.probe().name()));
            }
        }
        return facts;
    }
}

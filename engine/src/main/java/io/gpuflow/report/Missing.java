package io.gpuflow.report;

import io.gpuflow.facts.Judgement;
import io.gpuflow.facts.Unknown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why checks could not be told, each reason once: reasons are sentences joined by semicolons, and
 * most checks of a machine share their first one.
 *
 * @param why the reason, in the words of who asked
 * @param facts types of the facts that are missing
 * @param rules checks that wait for them
 */
public record Missing(String why, Set<String> facts, Set<String> rules) {
    private static final String JOINED = "; ";
    private static final int FACTS_SHOWN = 6;

    private static final Pattern ABSENT =
            Pattern.compile("(.+) is (not (?:installed, or not on PATH|in the recording))");

    /** The reasons, that of most checks first. */
    public static List<Missing> of(List<Judgement.Untold> untold) {
        Map<String, Missing> byFirst = new LinkedHashMap<>();
        Map<String, Set<String>> sentences = new LinkedHashMap<>();
        for (Judgement.Untold rule : untold) {
            for (Unknown missing : rule.missing()) {
                List<String> parts = List.of(SafeText.line(missing.why()).split(JOINED));
                Missing same =
                        byFirst.computeIfAbsent(
                                parts.get(0),
                                first -> new Missing(first, new TreeSet<>(), new TreeSet<>()));
                same.facts.add(missing.what());
                same.rules.add(rule.rule());
                sentences.computeIfAbsent(same.why, w -> new LinkedHashSet<>()).addAll(parts);
            }
        }
        List<Missing> sorted = new ArrayList<>(byFirst.values());
        sorted.sort((a, b) -> b.rules.size() - a.rules.size());
        Set<String> told = new LinkedHashSet<>();
        List<Missing> reasons = new ArrayList<>();
        for (Missing missing : sorted) {
            Set<String> all = sentences.get(missing.why);
            reasons.add(new Missing(further(all, told), missing.facts, missing.rules));
            told.addAll(all);
        }
        return reasons;
    }

    /** What of these sentences stands nowhere yet; all of it when that leaves nothing. */
    private static String further(Set<String> sentences, Set<String> told) {
        List<String> rest = new ArrayList<>();
        for (String sentence : sentences) {
            if (!told.contains(sentence)) {
                rest.add(withoutTold(sentence, told));
            }
        }
        return shortly(String.join(JOINED, rest.isEmpty() ? sentences : rest));
    }

    /** In "it is not known: nvidia-smi is missing" the second half may have been told. */
    private static String withoutTold(String sentence, Set<String> told) {
        for (int colon = sentence.indexOf(": "); colon > 0; ) {
            if (told.contains(sentence.substring(colon + 2))) {
                return sentence.substring(0, colon);
            }
            colon = sentence.indexOf(": ", colon + 1);
        }
        return sentence;
    }

    /** Says "a, b and c are not installed" for three sentences that say so of one each. */
    static String shortly(String why) {
        List<String> sentences = new ArrayList<>();
        List<String> names = new ArrayList<>();
        String lacks = null;
        for (String sentence : why.split(JOINED)) {
            Matcher absent = ABSENT.matcher(sentence);
            boolean is = absent.matches();
            if (lacks != null && !(is && absent.group(2).equals(lacks))) {
                sentences.add(lacking(names, lacks));
                names.clear();
                lacks = null;
            }
            if (is) {
                names.add(absent.group(1));
                lacks = absent.group(2);
            } else {
                sentences.add(sentence);
            }
        }
        if (lacks != null) {
            sentences.add(lacking(names, lacks));
        }
        return String.join(JOINED, sentences);
    }

    private static String lacking(List<String> names, String lacks) {
        int last = names.size() - 1;
        return last == 0
                ? names.get(0) + " is " + lacks
                : String.join(", ", names.subList(0, last))
                        + " and "
                        + names.get(last)
                        + " are "
                        + lacks;
    }

    /** In one line, with what waits for it. */
    String line() {
        String types = String.join(", ", facts.stream().limit(FACTS_SHOWN).toList());
        int more = facts.size() - FACTS_SHOWN;
        return why
                + " ("
                + Recap.count(rules.size(), "check")
                + ": "
                + types
                + (more > 0 ? " and " + more + " more" : "")
                + ")";
    }
}

package io.gpuflow.advise;

import java.util.Comparator;
import java.util.List;

/** Puts candidates in the order in which they should be tried. */
public interface Ranking {
    List<Candidate> ranked(Request request, List<Candidate> candidates);

    /** What fits first, else as they come: the simplest first. */
    Ranking SIMPLEST_FIRST =
            (request, candidates) ->
                    candidates.stream()
                            .sorted(
                                    Comparator.comparing(
                                            (Candidate c) -> Boolean.FALSE.equals(c.fits())))
                            .toList();
}

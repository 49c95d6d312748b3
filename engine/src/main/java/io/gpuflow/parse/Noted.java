package io.gpuflow.parse;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.Source;
import java.util.ArrayList;
import java.util.List;

/**
 * A fact and the line that says it.
 *
 * @param line from 1; 0 when the fact rests on the whole text
 */
record Noted(Fact fact, int line, String excerpt) {

    /** A fact said by a line, counted from 1, of the text. */
    static Noted at(Fact fact, int line, List<String> lines) {
        boolean known = line >= 1 && line <= lines.size();
        return new Noted(fact, known ? line : 0, known ? Excerpt.of(lines.get(line - 1)) : "");
    }

    static List<Observed> from(List<Noted> notes, String source) {
        List<Observed> observed = new ArrayList<>(notes.size());
        for (Noted note : notes) {
            observed.add(new Observed(note.fact, new Source(source, note.line, note.excerpt)));
        }
        return observed;
    }
}

package io.gpuflow.parse;

/**
 * Reads what one tool prints.
 *
 * @param <R> a report record whose components, in snake_case, are the keys of {@code facts --json}
 */
public interface Parser<R extends Report> {
    /**
     * The name used by {@code facts --as} and by {@code parse:} in a workflow: topo-m, nccl-tests …
     */
    String kind();

    /**
     * How sure this parser is that the text is its own, from 0 (not mine) to 100. Called on the
     * first part of a file; must not throw and must be quick.
     */
    int recognises(String head);

    /**
     * True when this parser finds its own lines among those of other tools, so that a text pasted
     * together from several may be read by it beside others.
     */
    default boolean readsPart() {
        return false;
    }

    /**
     * Reads the text. Never throws: what could not be read is in the report's error and unparsed.
     */
    R parse(String text);
}

package io.gpuflow.facts;

/**
 * A step's tool that did not do its work.
 *
 * @param kind missing, timeout, exit, signal, unreadable
 */
public record ToolFailure(String step, String tool, String kind, Integer exit, String lastLine)
        implements Fact {}

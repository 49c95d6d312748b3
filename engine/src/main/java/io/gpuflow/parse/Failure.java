package io.gpuflow.parse;

/**
 * Why a text holds no answer.
 *
 * @param id short and stable: no-devices, nvml-unknown-error, no-table …
 * @param text the tool's own words, or ours
 * @param line where it stands, from 1; 0 when the whole text is meant
 */
record Failure(String id, String text, int line) {}

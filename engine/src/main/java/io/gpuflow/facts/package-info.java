/**
 * What gpuflow knows: records only, importing nothing else of ours.
 *
 * <p>A component that could not be read is {@code null}; a thing that could not be read at all is
 * an {@link io.gpuflow.facts.Unknown}. Neither is ever replaced by a default.
 */
package io.gpuflow.facts;

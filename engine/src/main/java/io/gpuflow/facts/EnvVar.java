package io.gpuflow.facts;

/**
 * A setting found in the environment or in an NCCL configuration file.
 *
 * @param where environment, /etc/nccl.conf, ~/.nccl.conf, or the step that sets it
 */
public record EnvVar(String name, String value, String where) implements Fact {}

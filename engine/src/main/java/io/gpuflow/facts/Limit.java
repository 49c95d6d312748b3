package io.gpuflow.facts;

/**
 * A limit of this process, container or machine.
 *
 * @param name memlock, nofile, shm_size, shm_free, cgroup_memory, cgroup_cpus, cgroup_pids,
 *     disk_free
 * @param value −1 for unlimited
 */
public record Limit(String name, Long value, String unit) implements Fact {}

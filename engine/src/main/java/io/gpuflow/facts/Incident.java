package io.gpuflow.facts;

import java.util.List;

/**
 * The job's end as all logs together tell it.
 *
 * @param failed something says that the job failed or hung: a launcher, a watchdog, a fault
 * @param finished the logs end as a job that went well ends: last progress line and no failure
 * @param faults ids of signatures of kind fault that were seen and not passed, earliest first
 * @param firstFault the first of them, or null
 * @param timedOut ranks whose watchdog or store timed out
 * @param ranks every rank that any line speaks for
 * @param worldSize as the logs state it, or null
 * @param nodes number of hosts as the logs state it, or null
 * @param progress the last progress line before the first sign of failure, shortened, or null
 * @param lastStage tokenize, checkpoint, evaluate, download, train or null: what that line speaks
 *     of
 */
public record Incident(
        boolean failed,
        boolean finished,
        List<String> faults,
        String firstFault,
        List<Integer> timedOut,
        List<Integer> ranks,
        Integer worldSize,
        Integer nodes,
        String progress,
        String lastStage)
        implements Fact {}

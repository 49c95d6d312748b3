package io.gpuflow.facts;

import java.util.List;

/**
 * The job's end as all logs together tell it. Bulk counting done once, so that rules stay short.
 *
 * @param failed something says that the job failed or hung: a launcher, a watchdog, a fault
 * @param ordered the order of sightings is one of time: one log, or all logs bear times
 * @param wentOn work is shown after the last sign of trouble
 * @param faults ids of signatures of kind fault that were seen and not passed, earliest first
 * @param timedOut ranks that waited too long, by their own word
 * @param victims ranks whose connection to another was closed
 * @param reported ranks that the launcher reports as failed, −6 and −15 included
 * @param signalled ranks that were alive when the launcher ended them
 * @param deaf ranks that did not react to the launcher's signal
 * @param left ranks that ended before the others failed and that nobody reports: they ended well
 * @param done ranks whose last words before the others' failure are that they are done
 * @param silent ranks that exist and of which no line tells a timeout, an end or a failure
 * @param othersLeft some rank, not known which, ended before the others and nobody reports it
 * @param othersAlive number of workers, not known which, that were alive when the launcher ended
 *     them; when no rank is silent, less those that tell of a timeout or a lost peer themselves
 * @param ranks every rank that any line speaks for
 * @param worldSize as the logs state it, or null
 * @param nodes number of hosts as the logs state it, or null
 * @param timeoutSeconds the timeout that ran out first, or null
 * @param firstSequence lowest number of a collective that timed out, or null
 * @param stage what the last progress line before the failure speaks of: preprocess, download,
 *     checkpoint, evaluate, load, train, bar, or null
 * @param progress that line, shortened, or null
 * @param progressRank the rank that printed it, or null
 * @param barSeconds how long its progress bar had run, or null
 * @param barDone share of its progress bar, 0 to 1, or null
 * @param recognised false when no line is one of a job, a library, a driver or a launcher that is
 *     known
 * @param stoppedStarting the last line, when all logs end while the job starts and none shows work
 *     or a way to another rank, or null
 * @param endsAt the last line, when the logs are a job's and show neither work nor an end, or null
 * @param excerpt lines were picked out of a log, and show neither work nor an end
 * @param behind ranks whose last step lies two or more lines behind most others'
 * @param behindAt the last step of the first of them, as it stood, or null
 */
public record Incident(
        boolean failed,
        boolean ordered,
        boolean wentOn,
        List<String> faults,
        List<Integer> timedOut,
        List<Integer> victims,
        List<Integer> reported,
        List<Integer> signalled,
        List<Integer> deaf,
        List<Integer> left,
        List<Integer> done,
        List<Integer> silent,
        boolean othersLeft,
        int othersAlive,
        List<Integer> ranks,
        Integer worldSize,
        Integer nodes,
        Double timeoutSeconds,
        Long firstSequence,
        String stage,
        String progress,
        Integer progressRank,
        Double barSeconds,
        Double barDone,
        Boolean recognised,
        String stoppedStarting,
        String endsAt,
        Boolean excerpt,
        List<Integer> behind,
        String behindAt)
        implements Fact {}

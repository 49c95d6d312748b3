package io.gpuflow.facts;

/**
 * What one rank was doing when the job failed or hung, from every source that speaks of it.
 *
 * @param state finished (ended normally), exception, killed (a signal ended it), stopped (state T),
 *     python (alive, outside any collective), device (issued its work, the device does not complete
 *     it), waiting (in a collective that others have not joined), gone (its process is not there
 *     and nothing tells why) or unknown
 * @param exit exit status, or null
 * @param signal number of the signal that ended it, or null
 * @param error id of the signature of its first error of its own, or null
 * @param where the user's source line, {@code train.py:37 in step}, or null
 * @param progress its last progress line, shortened, or null
 * @param time seconds since the epoch when it ended or was last seen, or null
 * @param source log, launcher, ras, dump, ps
 */
public record RankState(
        int rank,
        String host,
        Integer pid,
        String state,
        Integer exit,
        Integer signal,
        String error,
        String where,
        String progress,
        Double time,
        String source)
        implements Fact {}

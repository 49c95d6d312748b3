package io.gpuflow.tool;

import java.util.List;

/**
 * Follows a running command: each line it prints, for the live display and for noticing a stall,
 * and the moment before it is ended, for saving evidence.
 */
@FunctionalInterface
public interface OutputLines {
    void line(boolean stderr, String text);

    /**
     * Asked a few times a second while the command runs.
     *
     * @return the reason to end it now, as if its time limit had come, or null to let it run
     */
    default String giveUp() {
        return null;
    }

    /**
     * Called once before the processes of a command are ended because its limit has come or {@link
     * #giveUp} said so; not when the run was interrupted. The time it may take is bounded by {@link
     * LiveTools.Limits#evidence}. A replay never calls it.
     *
     * @param processes all that are alive, the command's own first; may have ended meanwhile
     */
    default void beforeEnd(List<ProcessHandle> processes) {}
}

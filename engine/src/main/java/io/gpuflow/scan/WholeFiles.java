package io.gpuflow.scan;

import java.io.IOException;

/**
 * Takes what must be looked at as a whole and is no log: dumps, and the output of tools. Called by
 * several threads.
 */
public interface WholeFiles {
    /** Takes nothing. */
    WholeFiles NONE =
            new WholeFiles() {
                @Override
                public boolean wants(byte[] head) {
                    return false;
                }

                @Override
                public void take(String name, byte[] content) {}

                @Override
                public void text(String name, byte[] content) {}
            };

    /** True when a file that starts like this is one to take, and no log. */
    boolean wants(byte[] head);

    /**
     * Takes a file.
     *
     * @throws IOException with the reason in words when it can't be read
     */
    void take(String name, byte[] content) throws IOException;

    /** Sees a small text file that was scanned as a log, too. */
    void text(String name, byte[] content);
}

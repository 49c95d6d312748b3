package io.gpuflow.scan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * One stream of bytes to read.
 *
 * @param name how evidence names it
 * @param path the plain file, when it can be read from any place; else null
 * @param size its size in bytes when it was found, or −1
 * @param year the year of its last change, for times that bear none
 */
record Input(String name, Path path, long size, int year, Opener opener) {
    /** Opens the stream. */
    interface Opener {
        InputStream open() throws IOException;
    }
}

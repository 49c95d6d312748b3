package io.gpuflow.flow;

import io.gpuflow.bundle.BundleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The record of a stored run, wherever it is kept: in its folder or in a bundle. */
public interface RunRecord {
    /** The folder or the archive. */
    Path path();

    /**
     * The content of one of its files.
     *
     * @param file name in the run
     * @param most bytes; a larger file was not written by us
     */
    byte[] read(String file, long most) throws IOException;

    /** How evidence names a place that the run recorded. */
    String located(String place);

    static RunRecord of(Path folder) {
        return new Folder(folder);
    }

    static RunRecord of(BundleFile bundle) {
        return new Bundled(bundle);
    }

    /** A run may come from elsewhere: nothing outside of it is read, and no pipe or device. */
    record Folder(Path path) implements RunRecord {
        @Override
        public byte[] read(String file, long most) throws IOException {
            Path inside = path.resolve(file).normalize();
            if (!inside.startsWith(path.normalize())
                    || !Files.isRegularFile(inside, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(file + " is no file of the run " + path);
            }
            if (Files.size(inside) > most) {
                throw new IOException(inside + " is larger than " + (most >> 20) + " MiB");
            }
            return Files.readAllBytes(inside);
        }

        @Override
        public String located(String place) {
            return place;
        }
    }

    /** In memory: a bundle is never unpacked. */
    record Bundled(BundleFile bundle) implements RunRecord {
        @Override
        public Path path() {
            return bundle.path();
        }

        @Override
        public byte[] read(String file, long most) throws IOException {
            return bundle.record(file);
        }

        @Override
        public String located(String place) {
            return bundle.located(place);
        }
    }
}

package io.gpuflow.bundle;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Holds what goes into a bundle until its list can be written, which comes first. The file has no
 * name while it is in use: it is gone however gpuflow ends.
 */
final class Scratch implements Closeable {
    private final FileChannel channel;

    /** A piece of it. */
    record Piece(long from, long bytes, String sha256) {}

    Scratch(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, ".gpuflow-bundle", ".tmp");
        channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Writes one piece at its end. */
    final class Writing extends OutputStream {
        private final long from;
        private final MessageDigest digest = sha256();
        private boolean failed;

        Writing() throws IOException {
            from = channel.size();
            channel.position(from);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            digest.update(b, off, len);
            ByteBuffer buffer = ByteBuffer.wrap(b, off, len);
            try {
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            } catch (IOException e) {
                failed = true;
                throw e;
            }
        }

        /** The disk did not take it: no fault of what was read. */
        boolean failed() {
            return failed;
        }

        Piece piece() throws IOException {
            String hash = HexFormat.of().formatHex(digest.digest());
            return new Piece(from, channel.size() - from, hash);
        }

        /** Takes back what was written. */
        void undo() throws IOException {
            channel.truncate(from);
        }
    }

    /** The stream of a piece; one at a time. */
    InputStream read(Piece piece) throws IOException {
        channel.position(piece.from());
        return Channels.newInputStream(channel);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

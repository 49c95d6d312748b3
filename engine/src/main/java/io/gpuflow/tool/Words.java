package io.gpuflow.tool;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What went wrong with a file, in the words that are used everywhere. */
final class Words {
    private static final Charset COMMAND_LINE = commandLine();

    private Words() {}

    static String of(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "does not exist";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileAlreadyExistsException) {
            return "something else lies there";
        }
        if (e instanceof NotDirectoryException || isBelowAFile(e)) {
            return "is not in a folder";
        }
        if (e instanceof FileSystemLoopException) {
            return "its links go in a circle";
        }
        String said = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
        String text = said == null ? e.getClass().getSimpleName() : said;
        if (text.contains("No space left")) {
            return "the disk is full";
        }
        return text.isEmpty()
                ? "can't be read"
                : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }

    /**
     * A name below something that is no folder does not exist; Java has no exception of its own.
     */
    static boolean isBelowAFile(IOException e) {
        return String.valueOf(e.getMessage()).contains("Not a directory");
    }

    /** Why a process could not be started; Java gives the error number only within a sentence. */
    static String ofStart(IOException e) {
        String text = String.valueOf(e.getMessage());
        if (text.contains("error=7,")) {
            return "its arguments and environment are too long for the system";
        }
        if (text.contains("error=8,")) {
            return "it is not a program for this kind of machine";
        }
        if (text.contains("error=11,")) {
            return "the limit on processes is reached (ulimit -u, or the container's pids limit)";
        }
        if (text.contains("error=12,")) {
            return "there is not enough memory to start it";
        }
        if (text.contains("error=24,")) {
            return "the limit on open files is reached (ulimit -n)";
        }
        int comma = text.lastIndexOf(", ");
        return comma < 0 ? text : text.substring(comma + 2);
    }

    static String of(Duration time) {
        double seconds = time.toSeconds() + time.getNano() / 1e9;
        return seconds == Math.rint(seconds)
                ? (long) seconds + " s"
                : String.format(Locale.ROOT, "%.1f s", seconds);
    }

    /**
     * Java writes each character that the locale has no bytes for as a question mark.
     *
     * @throws IllegalArgumentException naming the argument that would arrive changed
     */
    static void checkEncodable(List<String> argv) {
        for (String argument : argv) {
            if (!COMMAND_LINE.newEncoder().canEncode(argument)) {
                throw new IllegalArgumentException(
                        "the locale ("
                                + COMMAND_LINE
                                + ") has no letters for its argument "
                                + argument
                                + "; set LC_ALL=C.UTF-8");
            }
        }
    }

    /** What Java encodes command lines with. */
    private static Charset commandLine() {
        if (Runtime.version().feature() < 18) {
            return Charset.defaultCharset();
        }
        try {
            return Charset.forName(System.getProperty("sun.jnu.encoding"));
        } catch (IllegalArgumentException e) {
            return Charset.defaultCharset();
        }
    }
}

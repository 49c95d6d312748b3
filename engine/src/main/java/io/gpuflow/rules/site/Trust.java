package io.gpuflow.rules.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether a file of code may be loaded. DRL is code: whoever can change it runs what they like as
 * whoever runs gpuflow. So nobody but root and the caller may be able to change the file, any
 * folder above it, or a link on the way; and it never comes out of evidence, which others made.
 */
public final class Trust {
    private static final int ROOT = 0;
    private static final int MOST_LINKS = 40;
    private static final int WRITE_GROUP = 0020;
    private static final int WRITE_OTHERS = 0002;
    private static final int STICKY = 01000;

    /** Files that stand at the root of what gpuflow itself writes: recordings, runs, bundles. */
    private static final Set<String> MARKS =
            Set.of("recording.json", "journal.jsonl", "bundle.json");

    private final int caller;
    private final List<Path> evidence;

    /**
     * @param evidence files and folders that are looked at: logs, recordings; nothing below them is
     *     trusted
     */
    public Trust(Collection<Path> evidence) {
        this(callerId(), evidence);
    }

    Trust(int caller, Collection<Path> evidence) {
        this.caller = caller;
        this.evidence = evidence.stream().map(Trust::real).toList();
    }

    private static int callerId() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            return -1; // Nobody: only what belongs to root is trusted then.
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }

    /** Why the file must not be loaded, and what to do; null when it may. */
    public String problem(Path file) {
        try {
            String problem = walk(file.toAbsolutePath());
            return problem != null ? problem : origin(file.toRealPath());
        } catch (NoSuchFileException e) {
            return "there is no " + e.getFile();
        } catch (IOException | UnsupportedOperationException e) {
            return "its owner can't be told: " + e;
        }
    }

    /**
     * Why a file that holds no code, and was not named by anybody, must not be used: it belongs to
     * somebody else, or is part of the evidence. Null when it may.
     */
    String ownership(Path file) {
        try {
            Path real = file.toRealPath();
            int owner = (Integer) Files.getAttribute(real, "unix:uid");
            return owner != ROOT && owner != caller
                    ? "it belongs to another user (uid " + owner + ")"
                    : origin(real);
        } catch (IOException | UnsupportedOperationException e) {
            return "its owner can't be told: " + e;
        }
    }

    /** Goes down from the root, through links, and looks at each step. */
    private String walk(Path absolute) throws IOException {
        Deque<Path> left = new ArrayDeque<>();
        absolute.forEach(left::addLast);
        Path at = absolute.getRoot();
        String problem = look(at);
        int links = 0;
        while (problem == null && !left.isEmpty()) {
            Path name = left.removeFirst();
            if (name.toString().equals(".") || name.toString().isEmpty()) {
                continue;
            }
            if (name.toString().equals("..")) {
                at = at.getParent() == null ? at : at.getParent();
                continue;
            }
            Path next = at.resolve(name);
            problem = look(next);
            if (!Files.isSymbolicLink(next)) {
                at = next;
            } else if (++links > MOST_LINKS) {
                problem = next + " is one of too many links";
            } else {
                Path target = Files.readSymbolicLink(next);
                at = target.isAbsolute() ? target.getRoot() : at;
                for (int i = target.getNameCount() - 1; i >= 0; i--) {
                    left.addFirst(target.getName(i));
                }
            }
        }
        return problem;
    }

    private String look(Path path) throws IOException {
        Map<String, Object> is =
                Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
        int owner = (Integer) is.get("uid");
        if (owner != ROOT && owner != caller) {
            return path + " belongs to another user (uid " + owner + "); chown it to yourself";
        }
        if (Files.isSymbolicLink(path)) {
            return null; // A link's own mode means nothing; where it stands was looked at.
        }
        int mode = (Integer) is.get("mode");
        // In a sticky folder such as /tmp nobody can replace what belongs to somebody else.
        boolean sticky = Files.isDirectory(path) && (mode & STICKY) != 0;
        if ((mode & (WRITE_GROUP | WRITE_OTHERS)) != 0 && !sticky) {
            boolean others = (mode & WRITE_OTHERS) != 0;
            return path
                    + (others ? " can be written by everybody" : " can be written by its group")
                    + "; chmod go-w "
                    + path;
        }
        return null;
    }

    private String origin(Path real) {
        for (Path one : evidence) {
            if (real.startsWith(one)) {
                return "it lies in " + one + ", which is what is looked at";
            }
        }
        for (Path folder = real.getParent(); folder != null; folder = folder.getParent()) {
            for (String mark : MARKS) {
                if (Files.exists(folder.resolve(mark))) {
                    return "it lies in a recording, run or bundle: " + folder;
                }
            }
        }
        return null;
    }
}

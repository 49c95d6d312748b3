package io.gpuflow.step;

import io.gpuflow.facts.EvidenceFile;
import io.gpuflow.facts.Observed;
import io.gpuflow.facts.SmokeRank;
import io.gpuflow.facts.Source;
import io.gpuflow.tool.ToolResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the ranks of a call left in its folder, and what it says of each rank. */
final class RankEvidence {
    private static final int LARGEST = 4 << 20;
    private static final Pattern RANK = Pattern.compile("rank(\\d{1,6})");

    /** {@code 1793 (python3) T 1750 …}: the name may hold anything, so the last bracket counts. */
    private static final Pattern STATE = Pattern.compile("(?m)^\\d+ \\(.*\\) ([A-Za-z]) -?\\d+ ");

    /** {@code File "/home/user/gpuflow_smoke.py", line 61 in first_collective}. */
    private static final Pattern FRAME =
            Pattern.compile("(?m)^  File \"([^\"\\n]+)\", line (\\d+) in (\\S+)");

    private final Path folder;

    RankEvidence(Path folder) {
        this.folder = folder;
    }

    /**
     * The same rank with its state and place before it was ended, where they were saved.
     *
     * @param started it had reported its pid; without a process of that pid it is gone
     */
    SmokeRank of(SmokeRank r, boolean started) {
        String state =
                state(read(folder.resolve(HangEvidence.FOLDER + "/proc-rank" + r.rank() + ".txt")));
        if (state == null && started && saved()) {
            state = "gone";
        }
        String where = where(read(folder.resolve("stack-rank" + r.rank() + ".txt")));
        return new SmokeRank(
                r.rank(),
                r.localRank(),
                r.device(),
                r.busId(),
                r.stage(),
                r.sumRight(),
                r.sum(),
                r.seconds(),
                r.error(),
                r.exit(),
                state,
                where);
    }

    /** Whether the hook that saves evidence ran. */
    boolean saved() {
        return Files.isDirectory(folder.resolve(HangEvidence.FOLDER));
    }

    private static String state(String proc) {
        Matcher m = STATE.matcher(proc);
        return m.find() ? m.group(1) : null;
    }

    /** The innermost line of our own script, else of any Python file. */
    private static String where(String stacks) {
        Matcher m = FRAME.matcher(stacks);
        String first = null;
        while (m.find()) {
            String file = m.group(1).substring(m.group(1).lastIndexOf('/') + 1);
            String frame = file + ":" + m.group(2) + " in " + m.group(3);
            if (file.startsWith("gpuflow_")) {
                return frame;
            }
            first = first == null ? frame : first;
        }
        return first;
    }

    private static String read(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return "";
        }
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** NCCL's log of each rank. */
    List<Path> ncclLogs() {
        return files(folder, "nccl*.log");
    }

    /** Everything that a diagnosis may read. */
    List<Observed> files(String step, ToolResult result) {
        List<Observed> found = new ArrayList<>();
        for (Path output : new Path[] {result.stdoutFile(), result.stderrFile()}) {
            if (output != null && output.toFile().length() > 0) {
                add(found, step, "log", output);
            }
        }
        ncclLogs().forEach(file -> add(found, step, "nccl-log", file));
        files(folder, "fr-rank*").forEach(file -> add(found, step, "flight-recorder", file));
        files(folder, "stack-rank*.txt").forEach(file -> add(found, step, "stack", file));
        Path evidence = folder.resolve(HangEvidence.FOLDER);
        files(evidence, "ras-?.txt").forEach(file -> add(found, step, "ras", file));
        files(evidence, "proc-*.txt").forEach(file -> add(found, step, "proc", file));
        files(evidence, "*-smi.txt").forEach(file -> add(found, step, "nvidia-smi", file));
        return found;
    }

    private static void add(List<Observed> found, String step, String kind, Path file) {
        Matcher m = RANK.matcher(file.getFileName().toString());
        Integer rank = m.find() ? Integer.valueOf(m.group(1)) : null;
        String path = file.toAbsolutePath().toString();
        found.add(new Observed(new EvidenceFile(step, kind, rank, path), Source.of(path)));
    }

    private static List<Path> files(Path folder, String glob) {
        List<Path> found = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return found;
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            for (Path file : stream) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) > 0) {
                    found.add(file);
                }
            }
        } catch (IOException e) {
            return found;
        }
        found.sort(null);
        return found;
    }
}

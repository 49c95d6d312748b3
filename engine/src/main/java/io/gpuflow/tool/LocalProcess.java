package io.gpuflow.tool;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A process of a job on this machine, as its kernel shows it.
 *
 * @param stat the line of /proc/PID/stat
 * @param waitsIn the kernel function it waits in; empty when it is not told
 * @param rank the rank that its environment gives it, or null when that can't be read or does not
 *     tell
 */
public record LocalProcess(String stat, String waitsIn, Integer rank) {
    private static final int MOST = 1 << 20;

    /** What launchers tell a process of its rank. */
    private static final List<String> RANKS =
            List.of("RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID");

    /**
     * The process of a number.
     *
     * @throws IOException when there is none, or it may not be looked at
     */
    public static LocalProcess of(int pid) throws IOException {
        Path folder = Path.of("/proc", String.valueOf(pid));
        String stat = read(folder.resolve("stat")).strip();
        String waitsIn = "";
        Integer rank = null;
        try {
            waitsIn = read(folder.resolve("wchan")).strip();
            rank = rank(read(folder.resolve("environ")));
        } catch (IOException e) {
            // Another user's: its state is told to all, the rest is not.
            return new LocalProcess(stat, waitsIn, rank);
        }
        return new LocalProcess(stat, waitsIn, rank);
    }

    /** Whether an address, not a name, is one of this machine. */
    public static boolean isHere(String address) {
        if (!address.matches("[0-9.]+|[0-9a-fA-F:.%]*:[0-9a-zA-Z:.%]*")) {
            return false; // a name would be looked up on the network
        }
        try {
            InetAddress known = InetAddress.getByName(address);
            return known.isLoopbackAddress() || NetworkInterface.getByInetAddress(known) != null;
        } catch (IOException e) {
            return false;
        }
    }

    private static Integer rank(String environment) {
        Map<String, String> told = new TreeMap<>();
        for (String each : environment.split("\0")) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                told.put(each.substring(0, equals), each.substring(equals + 1));
            }
        }
        for (String name : RANKS) {
            if (told.getOrDefault(name, "").matches("\\d{1,8}")) {
                return Integer.valueOf(told.get(name));
            }
        }
        return null;
    }

    private static String read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST), StandardCharsets.UTF_8);
        }
    }
}

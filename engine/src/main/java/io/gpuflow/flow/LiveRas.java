package io.gpuflow.flow;

import io.gpuflow.parse.RasParser;
import io.gpuflow.parse.RasReport;
import io.gpuflow.scan.Unread;
import io.gpuflow.tool.LocalProcess;
import io.gpuflow.tool.RasClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a running job: two answers of NCCL's RAS some seconds apart, because counts race by design
 * and only two tell whether they still move.
 */
final class LiveRas {
    /** RAS collects from silent peers for 5 s, and 5 s more. */
    private static final Duration LIMIT = Duration.ofSeconds(12);

    /** A stopped process accepts a connection and never answers; the next one reaches another. */
    private static final int TRIES = 3;

    private static final Duration BETWEEN = Duration.ofSeconds(5);

    private LiveRas() {}

    /** Asks each address and gives the answers to the evidence; tells which did not answer. */
    static List<Unread> into(OtherEvidence evidence, List<String> addresses) {
        return into(evidence, addresses, BETWEEN);
    }

    static List<Unread> into(OtherEvidence evidence, List<String> addresses, Duration between) {
        List<Unread> unread = new ArrayList<>();
        for (String address : addresses) {
            String name = "RAS at " + address;
            try {
                byte[] first = answer(address);
                if (new RasParser().recognises(new String(first, StandardCharsets.UTF_8)) == 0) {
                    throw new IOException("what answers there does not speak as NCCL's RAS does");
                }
                evidence.text(name + ", first answer", first);
                Thread.sleep(between.toMillis());
                byte[] second = answer(address);
                evidence.text(name + ", second answer", second);
                evidence.text("processes that RAS names", processes(second));
            } catch (IOException e) {
                unread.add(new Unread(name, e.getMessage(), true));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                unread.add(new Unread(name, "interrupted", true));
            }
        }
        return unread;
    }

    /**
     * What the kernel says of the ranks that differ, as far as they run on this machine. A number
     * may be another process's here when the job is in a container: the rank tells.
     */
    private static byte[] processes(byte[] answer) {
        StringBuilder text = new StringBuilder();
        RasReport report = new RasParser().parse(new String(answer, StandardCharsets.UTF_8));
        for (RasReport.Rank rank : report.ranks()) {
            if (rank.pid() == null || rank.node() == null || !LocalProcess.isHere(rank.node())) {
                continue;
            }
            try {
                LocalProcess process = LocalProcess.of(rank.pid());
                if (process.rank() != null && process.rank() == rank.rank()) {
                    String folder = "--- /proc/" + rank.pid() + "/";
                    text.append(folder).append("stat\n").append(process.stat()).append('\n');
                    text.append(folder).append("wchan\n").append(process.waitsIn()).append('\n');
                }
            } catch (IOException e) {
                // It has ended, or is none of this machine's that we may look at.
                continue;
            }
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] answer(String address) throws IOException {
        IOException first = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                String answer = RasClient.status(address, LIMIT);
                if (!answer.isBlank()) {
                    return answer.getBytes(StandardCharsets.UTF_8);
                }
                first = new IOException("it closed the connection without an answer");
            } catch (java.net.ConnectException e) {
                throw new IOException(
                        "nobody listens there: the job is gone, its NCCL is older than 2.24,"
                                + " NCCL_RAS_ENABLE=0, or it is in another container (see"
                                + " NCCL_RAS_ADDR)",
                        e);
            } catch (java.net.UnknownHostException e) {
                throw new IOException("the host name leads to no address", e);
            } catch (IOException e) {
                first = e;
            }
        }
        throw first;
    }
}

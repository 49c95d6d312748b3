package io.gpuflow.flow;

import io.gpuflow.scan.Unread;
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
                evidence.text(name + ", first answer", answer(address));
                Thread.sleep(between.toMillis());
                evidence.text(name + ", second answer", answer(address));
            } catch (IOException e) {
                unread.add(new Unread(name, e.getMessage(), true));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                unread.add(new Unread(name, "interrupted", true));
            }
        }
        return unread;
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
            } catch (IOException e) {
                first = e;
            }
        }
        throw first;
    }
}

package io.gpuflow.step;

import io.gpuflow.tool.RasClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Two answers of NCCL's RAS some seconds apart: counts race by design, so only two tell whether
 * they still move.
 */
final class RasSnapshots {
    /** RAS collects from silent peers for 5 s, and 5 s more. */
    private static final Duration LIMIT = Duration.ofSeconds(12);

    private static final Duration BETWEEN = Duration.ofSeconds(5);
    private static final String DEFAULT_ADDRESS = "localhost:28028";

    private final List<String> addresses;

    /**
     * @param addresses where the processes of the job answer; empty for NCCL's default
     */
    RasSnapshots(Collection<String> addresses) {
        this.addresses = addresses.isEmpty() ? List.of(DEFAULT_ADDRESS) : List.copyOf(addresses);
    }

    /** Writes ras-1.txt and ras-2.txt, or ras-failed.txt with the reasons. */
    void into(Path folder) throws IOException, InterruptedException {
        for (String name : List.of("ras-1.txt", "ras-2.txt")) {
            List<String> failures = Collections.synchronizedList(new ArrayList<>());
            String report = first(failures);
            if (report == null) {
                String why = String.join("\n", failures);
                Files.writeString(folder.resolve("ras-failed.txt"), why + "\n");
                return;
            }
            Files.writeString(folder.resolve(name), report);
            if (name.equals("ras-1.txt")) {
                Thread.sleep(BETWEEN.toMillis());
            }
        }
    }

    /** Any process answers for the whole job; a stopped one accepts and never answers. */
    private String first(List<String> failures) throws InterruptedException {
        CompletableFuture<String> answer = new CompletableFuture<>();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (String address : addresses) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            all.add(done);
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    answer.complete(RasClient.status(address, LIMIT));
                                } catch (IOException e) {
                                    failures.add(address + ": " + e.getMessage());
                                }
                                done.complete(null);
                            },
                            "gpuflow-ras");
            thread.setDaemon(true);
            thread.start();
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .thenRun(() -> answer.complete(null));
        try {
            return answer.get(LIMIT.toSeconds() + 1, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return null;
        }
    }
}

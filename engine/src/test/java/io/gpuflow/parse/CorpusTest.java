package io.gpuflow.parse;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * Outputs from public reports that lie beside the repository, with what must be read from them. The
 * folder is not part of the repository; without it the test is skipped.
 */
class CorpusTest {
    private static final Path CASES =
            Path.of(System.getProperty("gpuflow.home", "."), "..", "shared", "cases", "topo");

    /** The share of values that must be right. */
    private static final double ENOUGH = 0.98;

    private static final Map<String, String> KEYS =
            Map.of(
                    "topo-m",
                    "gpu_count nic_count gpu_links gpu_nic_links nic_legend link_class cpu_affinity"
                            + " numa_affinity error",
                    "p2p",
                    "gpu_count matrix ok_pairs all_pairs_ok error",
                    "amd",
                    "gpu_count gpu_links link_class error",
                    "nccl-tests",
                    "test rows avg_busbw max_busbw_out_of_place max_busbw_in_place wrong_total"
                            + " completed error",
                    "nvlink",
                    "gpu_count gpus fabric mig_devices mig_enabled error",
                    "imex",
                    "domain_state",
                    "nccl-info",
                    "nccl_version network nranks nnodes transports mnnvl");

    @Test
    void readsWhatPeopleRead() throws IOException {
        assumeTrue(Files.isDirectory(CASES), "no cases at " + CASES + ": skipped");
        int right = 0;
        List<String> wrong = new ArrayList<>();
        try (Stream<Path> folders = Files.list(CASES)) {
            for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
                right += check(folder, wrong);
            }
        }
        int all = right + wrong.size();
        assertTrue(right >= ENOUGH * all, right + " of " + all + "; wrong: " + wrong);
    }

    /** The number of right values of a case; the others are added to wrong. */
    private static int check(Path folder, List<String> wrong) throws IOException {
        Map<String, Object> caseFile =
                new Yaml().load(Files.readString(folder.resolve("case.yaml")));
        Map<?, ?> expect = (Map<?, ?>) caseFile.get("expect");
        Map<String, Object> got = new HashMap<>();
        for (Object file : (List<?>) caseFile.get("files")) {
            Reading.of(Files.readString(folder.resolve(file.toString())))
                    .values()
                    .forEach(
                            (key, value) ->
                                    got.merge(key, value == null ? "" : value, (a, b) -> b));
        }
        int right = 0;
        for (String key : KEYS.getOrDefault(caseFile.get("kind"), "").split(" ")) {
            if (expect.get(key) == null) {
                continue;
            }
            boolean same = same(expect.get(key), got.get(key));
            boolean accepted =
                    key.equals("link_class")
                            && expect.get("link_class_accept") instanceof List<?> list
                            && list.contains(got.get(key));
            boolean refused =
                    (key.equals("error") || expect.get("may_reject") != null)
                            && got.get("error") != null;
            if (same || accepted || refused) {
                right++;
            } else {
                wrong.add(folder.getFileName() + " " + key + "=" + got.get(key));
            }
        }
        return right;
    }

    private static boolean same(Object expected, Object got) {
        if (expected instanceof Map<?, ?> map) {
            return got instanceof Map<?, ?> other
                    && map.entrySet().stream()
                            .allMatch(
                                    e -> same(e.getValue(), other.get(String.valueOf(e.getKey()))));
        }
        if (expected instanceof List<?> list) {
            return got instanceof List<?> other && same(list, other);
        }
        if (expected == null || got == null) {
            return expected == got;
        }
        String a = expected.toString().strip();
        String b = got.toString().strip();
        try {
            double wanted = Double.parseDouble(a);
            return Math.abs(wanted - Double.parseDouble(b)) <= 1e-3 * Math.max(1, Math.abs(wanted));
        } catch (NumberFormatException words) {
            return Arrays.equals(a.split("\\s+"), b.split("\\s+"));
        }
    }

    private static boolean same(List<?> expected, List<?> got) {
        if (expected.size() != got.size()) {
            return false;
        }
        for (int i = 0; i < expected.size(); i++) {
            if (!same(expected.get(i), got.get(i))) {
                return false;
            }
        }
        return true;
    }
}

package io.gpuflow.advise.emit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuflow.advise.Candidate.EmittedFile;
import io.gpuflow.advise.DataParallel;
import io.gpuflow.advise.Layout;
import io.gpuflow.advise.ModelShape;
import io.gpuflow.advise.Placement;
import io.gpuflow.advise.Precision;
import io.gpuflow.advise.SampleModels;
import io.gpuflow.advise.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** The emitted files are what their tools read, and say what the layout says. */
class EmittedFilesTest {
    @TempDir Path folder;

    static Placement placement(int nodes, int gpus) {
        List<Placement.Near> near = new ArrayList<>();
        for (int i = 0; i < gpus; i++) {
            near.add(new Placement.Near(i < (gpus + 1) / 2 ? "0" : "1", "0-15,32-47"));
        }
        List<Integer> all = IntStream.range(0, gpus).boxed().toList();
        return new Placement(nodes, all, true, near, 8, List.of());
    }

    static Job job(ModelShape model, Layout layout, Precision precision, boolean recompute) {
        Workload workload = SampleModels.workload(4, 2048, precision, recompute);
        Placement placement = placement(1, layout.world());
        return new Job(model, workload, layout, placement, null, 150_000_000_000L);
    }

    static List<Job> jobs() {
        ModelShape tiny = SampleModels.tinyLlama();
        ModelShape big = SampleModels.llama8b();
        Layout hsdp = new Layout(DataParallel.FSDP2, 8, 4, 1, false, 1, 1, 1, 1, 2, none(), none());
        Layout tensor =
                new Layout(DataParallel.FSDP2, 2, 2, 4, true, 1, 1, 1, 1, 1, none(), none());
        Layout pipeline =
                new Layout(DataParallel.ZERO1, 2, 2, 2, true, 2, 2, 1, 1, 8, none(), none());
        Layout context =
                new Layout(DataParallel.FSDP2, 2, 2, 1, false, 1, 1, 4, 1, 1, none(), none());
        Layout experts =
                new Layout(DataParallel.ZERO1, 8, 8, 1, false, 1, 1, 1, 8, 1, none(), none());
        Layout offload =
                new Layout(
                        DataParallel.ZERO3,
                        2,
                        2,
                        1,
                        false,
                        1,
                        1,
                        1,
                        1,
                        4,
                        Layout.Offload.CPU,
                        Layout.Offload.NVME);
        Layout fsdpOffload =
                new Layout(
                        DataParallel.FSDP2,
                        2,
                        2,
                        1,
                        false,
                        1,
                        1,
                        1,
                        1,
                        1,
                        Layout.Offload.CPU,
                        Layout.Offload.CPU);
        return List.of(
                job(tiny, Layout.single(), Precision.MIXED, false),
                job(tiny, Layout.of(DataParallel.DDP, 2), Precision.MIXED, false),
                job(tiny, Layout.of(DataParallel.DDP, 2).withAccumulation(4), Precision.FP16, true),
                job(tiny, Layout.of(DataParallel.FSDP2, 2), Precision.MIXED, false),
                job(
                        big,
                        Layout.of(DataParallel.FSDP2_NO_RESHARD, 2).withAccumulation(2),
                        Precision.BF16,
                        true),
                job(big, Layout.of(DataParallel.ZERO1, 2), Precision.MIXED, false),
                job(big, Layout.of(DataParallel.ZERO2, 4), Precision.FP16, true),
                job(big, hsdp, Precision.MIXED, true),
                job(big, tensor, Precision.BF16, false),
                job(big, pipeline, Precision.MIXED, true),
                job(big, context, Precision.MIXED, true),
                job(SampleModels.mixtral(), experts, Precision.MIXED, false),
                job(big, offload, Precision.MIXED, false),
                job(big, fsdpOffload, Precision.MIXED, false));
    }

    private static Layout.Offload none() {
        return Layout.Offload.NONE;
    }

    static Map<String, String> files(Job job) {
        return EmittedFiles.of(job).stream()
                .collect(Collectors.toMap(EmittedFile::name, EmittedFile::text));
    }

    @Test
    void everyFileIsReadByItsLanguage() throws Exception {
        List<String> python = new ArrayList<>(List.of("python3", "-c", CHECK));
        int n = 0;
        for (Job job : jobs()) {
            Path own = Files.createDirectory(folder.resolve("job" + n++));
            for (Map.Entry<String, String> file : files(job).entrySet()) {
                Path path = Files.writeString(own.resolve(file.getKey()), file.getValue());
                assertFalse(file.getValue().contains("=null"), path + " has a null");
                if (path.toString().endsWith(".json")) {
                    new ObjectMapper().readTree(file.getValue());
                } else if (path.toString().endsWith(".yaml")) {
                    new Yaml().load(file.getValue());
                } else if (path.toString().matches(".*\\.(sh|sbatch)")) {
                    assertEquals("", run(List.of("bash", "-n", path.toString())), path.toString());
                } else {
                    python.add(path.toString());
                }
            }
        }
        assertTrue(python.size() > 20);
        assertEquals("", run(python));
    }

    private static final String CHECK =
            """
            import sys
            for name in sys.argv[1:]:
                text = open(name).read()
                try:
                    if name.endswith(".toml"):
                        import tomllib
                        tomllib.loads(text)
                    else:
                        compile(text, name, "exec")
                except ModuleNotFoundError:
                    pass
                except Exception as e:
                    print(name, repr(e))
            """;

    @Test
    void theLayoutIsInEveryFile() throws Exception {
        for (Job job : jobs()) {
            Map<String, String> files = files(job);
            int batch = job.globalBatch();
            Layout l = job.layout();
            if (files.containsKey("deepspeed.json")) {
                JsonNode ds = new ObjectMapper().readTree(files.get("deepspeed.json"));
                assertEquals(batch, ds.path("train_batch_size").asInt());
                assertEquals(
                        batch,
                        ds.path("train_micro_batch_size_per_gpu").asInt()
                                * ds.path("gradient_accumulation_steps").asInt()
                                * l.dp());
                assertEquals(
                        l.data().word(),
                        "zero" + ds.path("zero_optimization").path("stage").asInt());
            }
            if (files.containsKey("megatron.sh")) {
                String m = files.get("megatron.sh");
                assertTrue(m.contains("--tensor-model-parallel-size " + l.tp() + "\n"));
                assertTrue(m.contains("--pipeline-model-parallel-size " + l.pp() + "\n"));
                assertTrue(m.contains("--context-parallel-size " + l.cp() + "\n"));
                assertTrue(m.contains("--global-batch-size " + batch + "\n"));
                assertEquals(
                        job.workload().recompute(), m.contains("--recompute-granularity full"));
            }
            if (files.containsKey("torchtitan.toml")) {
                Function<String, Integer> number =
                        key ->
                                Integer.valueOf(
                                        files.get("torchtitan.toml")
                                                .split(key + " = ")[1]
                                                .split("\n")[0]);
                int world =
                        number.apply("data_parallel_replicate_degree")
                                * number.apply("data_parallel_shard_degree")
                                * number.apply("tensor_parallel_degree")
                                * number.apply("pipeline_parallel_degree")
                                * number.apply("context_parallel_degree");
                assertEquals(l.world(), world);
                assertEquals(batch, number.apply("global_batch_size"));
            }
            if (files.containsKey("accelerate.yaml")) {
                Map<String, Object> yaml = new Yaml().load(files.get("accelerate.yaml"));
                assertEquals(l.world(), yaml.get("num_processes"));
                assertEquals(job.fsdp2(), "FSDP".equals(yaml.get("distributed_type")));
                assertEquals(job.deepSpeed(), "DEEPSPEED".equals(yaml.get("distributed_type")));
            }
            if (files.containsKey("training_arguments.json")) {
                JsonNode t = new ObjectMapper().readTree(files.get("training_arguments.json"));
                assertEquals(
                        batch,
                        t.path("per_device_train_batch_size").asInt()
                                * t.path("gradient_accumulation_steps").asInt()
                                * l.dp());
            }
            assertTrue(files.containsKey("model.json"));
            assertTrue(files.size() > 1, l.strategy() + " has no file that runs it");
        }
    }

    @Test
    void severalNodesMeetAtOneAddress() {
        Layout layout = Layout.of(DataParallel.DDP, 16);
        Job job =
                new Job(
                        SampleModels.tinyLlama(),
                        SampleModels.workload(4, 2048, Precision.MIXED, false),
                        layout,
                        placement(2, 8),
                        null,
                        null);
        Map<String, String> files = files(job);
        assertTrue(files.get("launch.sh").contains("--nnodes=2 --rdzv-backend=c10d"));
        assertTrue(files.get("job.sbatch").contains("#SBATCH --nodes=2"));
        assertTrue(files.get("job.sbatch").contains("--rdzv-endpoint=\"$head:29500\""));
        assertTrue(files.get("accelerate.yaml").contains("num_processes: 16"));
    }

    @Test
    void joinedGpusAreNeighboursInRankOrder() {
        Placement placement =
                new Placement(1, List.of(0, 2, 1, 3), false, List.of(), null, List.of());
        Layout layout = new Layout(DataParallel.DDP, 2, 1, 2, true, 1, 1, 1, 1, 1, none(), none());
        Job job =
                new Job(
                        SampleModels.llama8b(),
                        SampleModels.workload(1, 2048, Precision.BF16, false),
                        layout,
                        placement,
                        null,
                        null);
        assertTrue(files(job).get("megatron.sh").contains("export CUDA_VISIBLE_DEVICES=0,2,1,3\n"));
        assertFalse(files(job).containsKey("bind.sh"));
    }

    /** Not a test of its own: leaves the files where -Demit.to says, to be run by hand. */
    @Test
    void leavesFilesToRunByHand() throws IOException {
        String to = System.getProperty("emit.to");
        Assumptions.assumeTrue(to != null, "no -Demit.to");
        List<Job> all = new ArrayList<>(jobs());
        if (System.getProperty("emit.small") != null) {
            // 160 million parameters on two GPUs: what a machine with two trains in seconds.
            ModelShape small = SampleModels.llama(768, 12, 12, 12, 3072, 32000, false);
            all.clear();
            for (DataParallel data : DataParallel.values()) {
                int gpus = data == DataParallel.NONE ? 1 : 2;
                Layout layout = Layout.of(data, gpus).withAccumulation(2);
                all.add(job(small, layout, Precision.MIXED, data == DataParallel.FSDP2));
            }
        }
        for (Job job : all) {
            Path own = Path.of(to, job.layout().strategy() + "-" + job.layout().world());
            Files.createDirectories(own);
            for (EmittedFile f : EmittedFiles.of(job)) {
                Files.writeString(own.resolve(f.name()), f.text());
            }
        }
    }

    /** The DDP and FSDP2 scripts train for real, two processes over gloo, where PyTorch is. */
    @Test
    void scriptsTrain() throws Exception {
        for (String script : List.of("train_ddp.py", "train_fsdp2.py")) {
            String python = pythonFor(script);
            if (python == null) {
                System.out.println("skipped: no PyTorch here that runs " + script);
                continue;
            }
            DataParallel data = script.contains("ddp") ? DataParallel.DDP : DataParallel.FSDP2;
            Layout layout = Layout.of(data, 2).withAccumulation(2);
            Path own = Files.createDirectory(folder.resolve(data.word()));
            for (EmittedFile f :
                    EmittedFiles.of(
                            job(SampleModels.tinyLlama(), layout, Precision.MIXED, false))) {
                Files.writeString(own.resolve(f.name()), f.text());
            }
            trains(python, own, script);
        }
    }

    private static void trains(String python, Path own, String script) throws Exception {
        String port = Integer.toString(20000 + (int) (System.nanoTime() % 20000));
        List<Process> ranks = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            ProcessBuilder builder =
                    new ProcessBuilder(
                            python, script, "--tiny", "--steps", "30", "--report", "report.json");
            Map<String, String> env = builder.environment();
            env.putAll(
                    Map.of(
                            "RANK",
                            "" + rank,
                            "LOCAL_RANK",
                            "" + rank,
                            "WORLD_SIZE",
                            "2",
                            "MASTER_ADDR",
                            "127.0.0.1",
                            "MASTER_PORT",
                            port,
                            "OMP_NUM_THREADS",
                            "1",
                            "USE_LIBUV",
                            "0"));
            builder.directory(own.toFile()).redirectErrorStream(true);
            builder.redirectOutput(own.resolve("rank" + rank + ".log").toFile());
            ranks.add(builder.start());
        }
        for (int rank = 0; rank < 2; rank++) {
            boolean ended = ranks.get(rank).waitFor(120, TimeUnit.SECONDS);
            String log = Files.readString(own.resolve("rank" + rank + ".log"));
            if (!ended) {
                ranks.forEach(Process::destroyForcibly);
            }
            assertTrue(ended && ranks.get(rank).exitValue() == 0, log);
        }
        JsonNode losses =
                new ObjectMapper().readTree(own.resolve("report.json").toFile()).path("losses");
        assertEquals(30, losses.size());
        assertTrue(losses.get(29).asDouble() < losses.get(0).asDouble() - 0.2, losses.toString());
    }

    /** GPUFLOW_TEST_PYTHON or the system's Python, if its torch is new enough for the script. */
    private static String pythonFor(String script) throws Exception {
        String least = script.contains("fsdp2") ? "(2, 6)" : "(1, 13)";
        String ask =
                "import torch; v = tuple(map(int, torch.__version__.split('+')[0].split('a')[0].split('.')[:2]));"
                        + "print('yes' if v >= "
                        + least
                        + " else 'no')";
        for (String python :
                new String[] {
                    System.getenv("GPUFLOW_TEST_PYTHON"), "/usr/bin/python3", "python3"
                }) {
            if (python != null && run(List.of(python, "-c", ask)).strip().equals("yes")) {
                return python;
            }
        }
        return null;
    }

    private static String run(List<String> argv) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
            String out = new String(process.getInputStream().readAllBytes());
            process.waitFor();
            return out;
        } catch (IOException e) {
            Assumptions.assumeTrue(false, argv.get(0) + " is not here");
            return "";
        }
    }
}

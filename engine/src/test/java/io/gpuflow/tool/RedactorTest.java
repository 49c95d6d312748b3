package io.gpuflow.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is private goes, what a diagnosis needs stays, and one thing has one name. */
class RedactorTest {
    private static String redact(String text) {
        return new Redactor().redact(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GPU 00000000:3B:00.0 on bus 0000:01:00.0, busId b000 commId 0x6fbfd5d1beb402af",
                "NVRM: Xid (PCI:0000:48:00): 62, 00002740 00002b08, pid=22884, name=VLLM::Worker",
                "NCCL version 2.28.9+cuda13.0, driver 580.159.04, CUDA 13.0, torch 2.9.1+cu130",
                "nvidia-cudnn-cu12==9.1.0.70",
                "nvidia-curand-cu12        10.3.2.106",
                "nvidia-cufile           1.15.1.6",
                "cuDNN version 9.1.0.70",
                "[rank3]:[E ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught timeout: OpType=ALLREDUCE",
                "NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read",
                "NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE",
                "Bootstrap: Using lo:127.0.0.1<0>, listening on 0.0.0.0:29500 and ::1",
                "  File \"/usr/lib/python3/dist-packages/torch/distributed/run.py\", line 892, in run",
                "cat: /sys/class/infiniband/mlx5_0/ports/1/state: No such file or directory",
                "  NODE = Connection traversing PCIe as well as the interconnect",
                "ClusterUUID : 00000000-0000-0000-0000-000000000000",
                "12:34:56.789012 2026-11-29T15:32:51Z c10d::ProcessGroup at::native::add std::vector",
                "https://pytorch.org/docs/stable/elastic/errors.html says torch.cuda.set_device(args.local_rank)",
                "TOKENIZERS_PARALLELISM=false tokens=4096 key: default_pg/0//cuda//0 max_tokens=8",
                "self.net = args.net; import torch.distributed as dist; model.io",
                "Serial Number : N/A",
            })
    void whatADiagnosisNeedsStays(String line) {
        assertEquals(line, redact(line));
    }

    @Test
    void eachKindHasItsName() {
        Map<String, String> pairs =
                Map.ofEntries(
                        Map.entry(
                                "gpu01:1792:1793 [0] NCCL INFO Bootstrap: Using eth0:10.1.0.6<0>",
                                "host-1:1792:1793 [0] NCCL INFO Bootstrap: Using eth0:ip-1<0>"),
                        Map.entry("vm:17:18 [0] NCCL WARN x", "host-1:17:18 [0] NCCL WARN x"),
                        Map.entry("inet6 fe80::a00:27ff:fe4e:66a1/64", "inet6 fe80::1/64"),
                        Map.entry("inet6 2001:db8::66a1/64", "inet6 ip-1/64"),
                        Map.entry("inet 169.254.77.3/16", "inet 169.254.0.2/16"),
                        Map.entry("connect to 172.17.0.1", "connect to 172.17.0.1"),
                        Map.entry(
                                "File \"/data/conda/lib/python3.11/threading.py\", line 3",
                                "File \"/path-1/lib/python3.11/threading.py\", line 3"),
                        Map.entry(
                                "File \"/data/src/pytorch/torch/nn/x.py\", line 3",
                                "File \"/path-1/torch/x.py\", line 3"),
                        Map.entry(
                                "Nov 29 15:32:51 node4 kernel: [240314.5] NVRM: Xid",
                                "Nov 29 15:32:51 host-1 kernel: [240314.5] NVRM: Xid"),
                        Map.entry("  host      : trainer7", "  host      : host-1"),
                        Map.entry("open /home/jdoe/x.py", "open /path-1/x.py"),
                        Map.entry("HOME=/home/jdoe", "HOME=/home/user-1"),
                        Map.entry(
                                "/home/jdoe/venv/lib/python3.11/site-packages/torch/x.py:7",
                                "/path-1/site-packages/torch/x.py:7"),
                        Map.entry(
                                "File \"/lustre/big/a.py\", line 3",
                                "File \"/path-1/a.py\", line 3"),
                        Map.entry(
                                "    Serial Number   : 1650522000123",
                                "    Serial Number   : serial-1"),
                        Map.entry("<serial>1650522000123</serial>", "<serial>serial-1</serial>"),
                        Map.entry("{\"serial\": \"PCB0123\"}", "{\"serial\": \"serial-1\"}"),
                        Map.entry(
                                "(UUID: GPU-6a3b2c1d-1111-2222-3333-444455556666)",
                                "(UUID: GPU-00000000-0000-0000-0000-000000000001)"),
                        Map.entry("node_guid: e8eb:d303:0012:3456", "node_guid: guid-1"),
                        Map.entry("link/ether e8:eb:d3:12:34:56 brd", "link/ether guid-1 brd"),
                        Map.entry("WANDB_API_KEY=abc123 x", "WANDB_API_KEY=*** x"),
                        Map.entry("\"hf_token\": \"abcdef\"", "\"hf_token\": ***"),
                        Map.entry("hf_abcdefghijklmnopqrst", "***"),
                        Map.entry("https://bob:pw1234@h.example.com/x", "https://bob:***@host-1/x"),
                        Map.entry("Authorization: Bearer abc.def-123", "Authorization: Bearer ***"),
                        Map.entry(
                                "SLURM_JOB_NODELIST=gpu[01-03,07]",
                                "SLURM_JOB_NODELIST=host-1,host-2,host-3,host-4"));
        pairs.forEach((from, to) -> assertEquals(to, redact(from)));
    }

    @Test
    void aFieldSaysWhatItsValueDoesNot() {
        Redactor redactor = new Redactor();
        assertEquals("host-1", redactor.redact("host", "vm"));
        assertEquals("host-1:1:2 [0] NCCL INFO x", redactor.redact("vm:1:2 [0] NCCL INFO x"));
        assertEquals("serial-1", redactor.redact("board_serial", "1650522000123"));
        assertEquals("guid-1", redactor.redact("node_guid", "e8ebd30300123456"));
        assertEquals("12.8.90.1", redactor.redact("version", "12.8.90.1"));
        assertEquals("ip-1", redactor.redact("address", "12.8.90.1"));
        assertEquals("***", redactor.redact("HF_TOKEN", "abcdefgh"));
        assertEquals("user-1", redactor.redact("user", "jdoe"));
        assertEquals("host-2,host-3", redactor.redact("SLURM_NODELIST", "gpu[01-02]"));
        assertEquals("nccl-error", redactor.redact("signature", "nccl-error"));
    }

    @Test
    void aNameIsFoundEverywhereAndIsTheSameEverywhere() {
        Redactor redactor = new Redactor();
        String early = "timeout waiting for gpu01 (jdoe-job on GPU01.corp.example.net)";
        redactor.learn(early);
        redactor.learn("gpu01:1:2 [0] NCCL INFO x\nUSER=jdoe\ngpu02.corp.lan up");
        assertEquals("timeout waiting for host-1 (user-1-job on host-1)", redactor.redact(early));
        assertEquals("host-2 and host-1", redactor.redact("gpu02 and gpu01"));
        assertEquals("gpu011 or xgpu01", redactor.redact("gpu011 or xgpu01"));
    }

    @Test
    void hostsAndUsersCanBeGiven() {
        Redactor redactor = new Redactor();
        redactor.hosts(List.of("alpha", "beta.site.org"));
        redactor.users(List.of("mmustermann"));
        assertEquals(
                "host-1 host-2 host-2 user-1",
                redactor.redact("alpha beta beta.site.org mmustermann"));
    }

    @Test
    void doingItAgainChangesNothing() {
        String once =
                redact(
                        "gpu01:1:2 [0] NCCL INFO Using eth0:10.1.0.6<0>\n/home/jdoe/a/b.py\n"
                                + "GPU-6a3b2c1d-1111-2222-3333-444455556666\nTOKEN=abcdefg\n");
        assertEquals(once, redact(once));
        assertFalse(once.contains("gpu01") || once.contains("jdoe") || once.contains("10.1"));
    }

    @Test
    void nothingPrivateRemainsInRandomLogs() {
        Random random = new Random(5);
        for (int round = 0; round < 300; round++) {
            String host = "srv" + (char) ('a' + random.nextInt(26)) + random.nextInt(999);
            String user = "usr" + Integer.toString(random.nextInt(99999), 36);
            String address = "10." + random.nextInt(256) + "." + random.nextInt(256) + ".77";
            String[] lines = {
                host + ":12:13 [1] NCCL INFO NET/Socket : Using [0]ib0:" + address + "<0>",
                "rank 3 on " + host + " waits for " + address + ":29500",
                "/home/" + user + "/proj/train.py line 7",
                "started by " + user + "@" + host,
                "connect to " + address + " failed; " + host + "-ib0 is down",
            };
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 12; i++) {
                text.append(lines[i < lines.length ? i : random.nextInt(lines.length)])
                        .append('\n');
            }
            String clean = redact(text.toString());
            for (String secret : List.of(host, user, address)) {
                assertFalse(clean.contains(secret), secret + " in\n" + clean);
            }
            assertTrue(clean.contains("[1] NCCL INFO NET/Socket : Using [0]ib0:"), clean);
            assertTrue(clean.contains("train.py line 7"), clean);
        }
    }

    @Test
    void noLineTakesForEver() {
        for (String piece :
                List.of("a.", ":", "/", "1.", "a@", "[", "0:", "-", "a=", "/home/", " x")) {
            String line = piece.repeat(8_000);
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> redact(line), piece);
        }
    }

    @Test
    void secretsAreToldByTheNameOfTheVariable() {
        for (String name :
                List.of(
                        "HF_TOKEN",
                        "AWS_SECRET_ACCESS_KEY",
                        "PGPASSWORD",
                        "wandb_api_key",
                        "DB_PWD")) {
            assertTrue(Redaction.isSecret(name), name);
        }
        for (String name :
                List.of(
                        "TOKENIZERS_PARALLELISM",
                        "NCCL_KEYED",
                        "MAX_TOKENS",
                        "PATH",
                        "MONKEY",
                        "OMPI_X")) {
            assertFalse(Redaction.isSecret(name), name);
        }
        Map<String, String> kept =
                Redaction.relevant(
                        Map.of(
                                "NCCL_DEBUG",
                                "INFO",
                                "SLURM_JWT",
                                "x",
                                "EDITOR",
                                "vi",
                                "RANK",
                                "3"));
        assertEquals(Map.of("NCCL_DEBUG", "INFO", "SLURM_JWT", "***", "RANK", "3"), kept);
    }
}

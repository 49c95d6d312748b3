package io.gpuflow.parse;

import java.util.List;
import java.util.regex.Pattern;

/** Says of a Python stack what its thread was doing. */
final class StackPlace {
    private static final Pattern LIBRARY =
            Pattern.compile(
                    "(?:.*/)?(?:site-packages|dist-packages|lib(?:64)?/python\\d[\\d.]*)/.*|<.*"
                            + "|(?:torch|deepspeed|accelerate|transformers|lightning|pytorch_lightning"
                            + "|horovod|numpy|tqdm|ray|multiprocessing|concurrent|importlib|asyncio)/.*"
                            + "|(?:threading|queue|selectors|socket|ssl|subprocess|contextlib|runpy|shutil)\\.py");

    private static final Pattern COMMUNICATION =
            Pattern.compile(
                    ".*torch/distributed/(?:distributed_c10d|_functional_collectives|nn/functional)\\.py"
                            + "|.*horovod/(?:torch|tensorflow)/.*|.*deepspeed/comm/.*");

    private static final Pattern COLLECTIVE =
            Pattern.compile(
                    "(?:all_reduce|allreduce|all_gather|allgather|all_to_all|alltoall|broadcast|reduce"
                            + "|scatter|gather|barrier|monitored_barrier|send|recv|synchronize)\\w*");

    private static final Pattern START =
            Pattern.compile(
                    "init_process_group|_store_based_barrier|_create_c10d_store|new_group\\w*|_\\w*rendezvous\\w*");

    private static final Pattern DATA =
            Pattern.compile(
                    ".*torch/utils/data/.*|.*/data/\\w*(?:iterators?|loaders?|dataloader)\\w*\\.py");

    private static final Pattern STORAGE =
            Pattern.compile(
                    ".*torch/serialization\\.py|.*torch/distributed/checkpoint/.*|.*safetensors/.*"
                            + "|(?:.*/)?shutil\\.py");

    private static final Pattern DEVICE =
            Pattern.compile(".*torch/autograd/.*|.*torch/_tensor\\.py|.*torch/cuda/.*");

    /** One line of a stack. */
    record Frame(String function, String file, int line) {
        boolean ofProgram() {
            return !LIBRARY.matcher(file).matches();
        }

        String words() {
            return file.substring(file.lastIndexOf('/') + 1) + ":" + line + " in " + function;
        }
    }

    /** As in {@link io.gpuflow.facts.RankStack}. */
    record Place(String at, String call, String where) {}

    private StackPlace() {}

    /**
     * @param frames innermost first
     */
    static Place of(List<Frame> frames) {
        String where = null;
        for (Frame frame : frames) {
            if (frame.ofProgram()) {
                where = frame.words();
                break;
            }
        }
        for (Frame frame : frames) {
            if (frame.ofProgram()) {
                break;
            }
            String at = at(frame);
            if (at != null) {
                return new Place(at, frame.function, where);
            }
        }
        return new Place("program", null, where);
    }

    private static String at(Frame frame) {
        if (COMMUNICATION.matcher(frame.file).matches()) {
            return START.matcher(frame.function).matches()
                    ? "start"
                    : COLLECTIVE.matcher(frame.function).matches() ? "collective" : null;
        }
        return DATA.matcher(frame.file).matches()
                ? "data"
                : STORAGE.matcher(frame.file).matches()
                        ? "storage"
                        : DEVICE.matcher(frame.file).matches() ? "device" : null;
    }
}

"""What the smoke test and the benchmark share: one rank, its device, its evidence, its report lines.

Runs on Python 3.8 and later, torch 1.13 and later, CUDA, ROCm and CPU. Each report line is one write of
"@gpuflow {json}", so that lines of several ranks never tear each other apart.
"""
import ctypes
import faulthandler
import json
import os
import signal
import socket
import sys
import time

PREFIX = "@gpuflow "
START = time.time()


def say(event, **values):
    """Reports one event of this rank. Lines stay under PIPE_BUF (4096 bytes), which makes a write atomic."""
    line = {"event": event, "rank": rank(), "at": round(time.time() - START, 3)}
    line.update(values)
    text = json.dumps(line)
    if len(text) > 3900:
        for key, value in line.items():
            if isinstance(value, str) and len(value) > 1000:
                line[key] = value[:1000] + "..."
        text = json.dumps(line)
    sys.stdout.flush()
    os.write(1, (PREFIX + text + "\n").encode("utf-8", "replace"))


def _number(name, default):
    try:
        return int(os.environ[name])
    except (KeyError, ValueError):
        return default


def rank():
    return _number("RANK", 0)


def local_rank():
    return _number("LOCAL_RANK", 0)


def world_size():
    return _number("WORLD_SIZE", 1)


def die_with_parent():
    """Asks the kernel to kill this process when its launcher dies, however that happens."""
    parent = os.getppid()
    try:
        ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
    except (OSError, AttributeError):
        return  # not Linux, or no prctl: the caller's process tree is still ended from outside
    if os.getppid() != parent:
        os._exit(1)


def arm_stacks():
    """SIGUSR1 writes the Python stack of every thread to stack-rankN.txt; so does SIGTERM, before it ends us."""
    file = open("stack-rank%d.txt" % rank(), "w")
    faulthandler.enable(file=sys.stderr, all_threads=True)
    faulthandler.register(signal.SIGUSR1, file=file, all_threads=True, chain=False)
    faulthandler.register(signal.SIGTERM, file=file, all_threads=True, chain=True)
    return file  # must stay open: faulthandler keeps only the descriptor


def _free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def arm_nccl():
    """Sets what NCCL and PyTorch need to leave evidence; nothing that changes how they communicate.

    Called before the process group exists. Everything lands in the working folder, wherever the user's own
    settings would put it, since that is where it is looked for.
    """
    here = os.getcwd()
    os.environ["NCCL_DEBUG"] = "INFO"
    os.environ["NCCL_DEBUG_FILE"] = os.path.join(here.replace("%", "%%"), "nccl-rank%d.log" % rank())
    for name in ("NCCL_DEBUG_SUBSYS", "NCCL_DEBUG_TIMESTAMP_FORMAT"):
        os.environ.pop(name, None)
    # RAS: every process may listen on its own port and answers for the whole job, so a stopped one can be passed over.
    os.environ.setdefault("NCCL_RAS_ADDR", "localhost:%d" % _free_port())
    # Flight Recorder, by its old and its new names: releases differ in which of them the pipe asks for. Those that
    # know the new names warn at the old ones, which is harmless.
    prefix, pipe = os.path.join(here, "fr-rank"), os.path.join(here, "fr-pipe-rank")
    names = {"TORCH_NCCL_DUMP_ON_TIMEOUT": "1",
             "TORCH_FR_BUFFER_SIZE": "2000", "TORCH_NCCL_TRACE_BUFFER_SIZE": "2000",
             "TORCH_FR_DUMP_TEMP_FILE": prefix, "TORCH_NCCL_DEBUG_INFO_TEMP_FILE": prefix,
             "TORCH_FR_DEBUG_INFO_PIPE_FILE": pipe, "TORCH_NCCL_DEBUG_INFO_PIPE_FILE": pipe}
    os.environ.update(names)
    say("armed", env={"NCCL_RAS_ADDR": os.environ["NCCL_RAS_ADDR"]}, folder=here, names=sorted(names))


def device_ids(torch, index):
    """PCI address and UUID of a visible GPU, as the driver gives them; None where it can't be told.

    Asked from the driver library, because torch tells them only since 2.6 or so. A MIG device has its own UUID
    but its GPU's address.
    """
    bus_id = uuid = None
    try:
        buffer = ctypes.create_string_buffer(64)
        if getattr(torch.version, "hip", None):
            library = ctypes.CDLL("libamdhip64.so")
            if library.hipDeviceGetPCIBusId(buffer, 64, index) == 0:
                bus_id = buffer.value.decode().lower()
        else:
            library = ctypes.CDLL("libcuda.so.1")
            device = ctypes.c_int()
            raw = (ctypes.c_ubyte * 16)()
            library.cuInit(0)
            if library.cuDeviceGet(ctypes.byref(device), index) == 0:
                if library.cuDeviceGetPCIBusId(buffer, 64, device) == 0:
                    bus_id = buffer.value.decode().lower()
                ask = getattr(library, "cuDeviceGetUuid_v2", None) or library.cuDeviceGetUuid
                if ask(ctypes.byref(raw), device) == 0:
                    h = bytes(raw).hex()
                    uuid = "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))
    except (OSError, AttributeError):
        pass
    if bus_id and len(bus_id.split(":")[0]) == 8:
        bus_id = bus_id[4:]
    return bus_id, uuid


def choose_device(torch, backend):
    """The device of this rank: local rank r uses visible GPU r. Raises when there is no such GPU."""
    if backend != "nccl":
        return torch.device("cpu"), None
    visible = torch.cuda.device_count()
    index = local_rank()
    if index >= visible:
        raise RuntimeError("local rank %d has no GPU: torch sees %d (one process a visible GPU, never more)" % (index, visible))
    torch.cuda.set_device(index)
    return torch.device("cuda", index), index


def run(main):
    """Runs one rank's main; reports an exception as one line before it ends the process."""
    die_with_parent()
    keep = arm_stacks()
    try:
        main()
    except BaseException as error:  # also SystemExit and KeyboardInterrupt: the report must tell
        if not (isinstance(error, SystemExit) and not error.code):
            text = str(error).strip().splitlines()
            say("error", type=type(error).__name__, text=(text[-1] if text else "")[:1000], first=(text[0] if text else "")[:1000], where=_where(error))
        raise
    finally:
        keep.flush()


def _where(error):
    """The innermost line of our own script in the traceback: file:line in function."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith("<") and "site-packages" not in code.co_filename and "dist-packages" not in code.co_filename:
            found = "%s:%d in %s" % (os.path.basename(code.co_filename), trace.tb_lineno, code.co_name)
        trace = trace.tb_next
    return found

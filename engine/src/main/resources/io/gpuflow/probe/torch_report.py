# Says in one line what this Python's PyTorch can do. Creates no CUDA context and starts no process.
import json, os, sys


def told(ask):
    try:
        return ask()
    except BaseException:
        return None


report = {"python": sys.executable, "python_version": "%d.%d.%d" % sys.version_info[:3], "torch": None}
try:
    import torch
    import torch.distributed as dist

    report["torch"] = str(torch.__version__)
    report["cuda"] = torch.version.cuda
    report["hip"] = getattr(torch.version, "hip", None)
    report["device_count"] = told(lambda: torch.cuda.device_count())
    report["distributed"] = bool(dist.is_available())
    report["nccl"] = told(lambda: bool(dist.is_nccl_available()))
    report["gloo"] = told(lambda: bool(dist.is_gloo_available()))
    version = told(lambda: torch.cuda.nccl.version())
    if isinstance(version, int):  # before torch 1.10: 2708
        version = (version // 1000, version % 1000 // 100, version % 100)
    report["nccl_version"] = ".".join(map(str, version)) if version else None
    flags = told(lambda: torch._C._cuda_getArchFlags())
    report["arch_list"] = flags.split() if flags else []
except ModuleNotFoundError as e:
    report["problem"] = "ModuleNotFoundError: %s" % e
except BaseException as e:
    report["problem"] = "%s: %s" % (type(e).__name__, str(e).strip().replace("\n", " ")[:300])
try:
    with open("/proc/self/maps") as maps:
        paths = {line.split(None, 5)[5].strip() for line in maps if "libnccl" in line or "librccl" in line}
    report["nccl_libraries"] = sorted(p for p in paths if os.path.basename(p).startswith(("libnccl.so", "librccl.so")))
except Exception:
    report["nccl_libraries"] = []
print("gpuflow-torch " + json.dumps(report), flush=True)
os._exit(0)  # libraries loaded by torch must not have the last word

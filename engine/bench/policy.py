#!/usr/bin/env python3
"""Times a site's policy: own checks over many hosts, own rules in DRL compiled and cached, the shipped rules.

    engine/bench/policy.py [--checks 1000] [--hosts 1000] [--runs 3]

Needs a build (target/classes, target/lib) and a JDK 17 or later. Each figure is the best of the runs: the machine's other work only adds. Targets: the checks 5 s;
a policy with five rules in DRL, cached, 0.1 s more than none; the shipped rules 0.3 s.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLAGS = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx1g"]
RULE = """package gpuflow.rules.site

import io.gpuflow.facts.*
import java.util.Map

rule "own-%(n)d"
when
  Topology( gpuCount > %(n)d, $gpus : gpuCount )
  Gpu( index == %(n)d, $model : model )
then
  insertLogical( new Finding( "own-%(n)d", Map.of( "gpus", $gpus, "model", $model ) ) );
end
"""
CARD = """id: own-%(n)d
since: "1"
level: info
needs: [Topology, Gpu.model]
says: "${{ gpus }} GPUs, number %(n)d is a ${{ model }}"
why: it is timed
"""


def classes(folder):
    jars = os.path.join(HOME, "target/lib", "*")
    path = os.pathsep.join([os.path.join(HOME, "target/classes"), jars])
    source = os.path.join(HOME, "engine/bench/PolicyBench.java")
    subprocess.run(["javac", "-d", folder, "-cp", path, source], check=True)
    return os.pathsep.join([folder, path])


def once(path, folder, flags, *words):
    out = subprocess.run(
        ["java", *flags, "-cp", path, "PolicyBench", folder, *words], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    return {line.split()[0]: float(line.split()[1]) for line in out.splitlines()}


def best(runs, *args):
    all_runs = [once(*args) for _ in range(runs)]
    return {key: min(r[key] for r in all_runs) for key in all_runs[0]}


def site(folder, rules):
    with open(os.path.join(folder, "site.yaml"), "w") as f:
        f.write("gpuflow-site: 1\nadd: [ { rules: rules, because: timed } ]\n")
    for n in range(rules):
        own = os.path.join(folder, "rules/site/own-%d" % n)
        os.makedirs(own)
        for name, text in (("rule.drl", RULE), ("rule.yaml", CARD)):
            with open(os.path.join(own, name), "w") as f:
                f.write(text % {"n": n})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checks", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    os.umask(0o022)
    folder = tempfile.mkdtemp(prefix="policy-bench-")
    try:
        compiled = os.path.join(folder, "classes")
        os.makedirs(compiled)
        path = classes(compiled)
        c = best(args.runs, path, folder, ["-Xmx1g"], "checks", str(args.checks), str(args.hosts))
        per = c["judge"] / args.checks / args.hosts * 1e6
        print("%d checks read: %.2f s" % (args.checks, c["read"]))
        print(
            "%d checks on %d hosts: %.2f s, %.2f us each, %d findings (target 5 s)"
            % (args.checks, args.hosts, c["judge"], per, c["spoke"])
        )
        site(folder, 5)
        cold = once(path, folder, FLAGS, "site")
        warm = best(args.runs, path, folder, FLAGS, "site")
        print("5 rules in DRL, first time: %.2f s" % cold["load"])
        none = best(args.runs, path, folder, FLAGS, "shipped")
        more = warm["load"] - none["load"] + warm["first"] - none["first"]
        print("5 rules in DRL, cached: %.3f s to load; %.3f s more than none until judged (target 0.1 s)" % (warm["load"], more))
        print(
            "shipped rules: %.3f s to load and judge one host the first time, %.3f s again (target 0.3 s)"
            % (none["load"] + none["first"], none["second"])
        )
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())

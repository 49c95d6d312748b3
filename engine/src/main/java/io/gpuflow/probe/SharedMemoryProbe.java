package io.gpuflow.probe;

import io.gpuflow.facts.Fact;
import io.gpuflow.facts.Limit;
import io.gpuflow.facts.Observed;
import io.gpuflow.parse.Df;
import io.gpuflow.tool.Tools;
import java.util.ArrayList;
import java.util.List;

/** Size and free space of /dev/shm, and of /tmp. */
final class SharedMemoryProbe implements Probe {
    @Override
    public String name() {
        return "shared-memory";
    }

    @Override
    public List<Class<? extends Fact>> brings() {
        return List.of();
    }

    @Override
    public List<Observed> ask(Tools tools) {
        Answer<Df.Reading> shm = Answer.of(tools, new Df(), "df", "-Pk", "/dev/shm");
        Answer<Df.Reading> tmp = Answer.of(tools, new Df(), "df", "-Pk", "/tmp");
        List<Observed> facts = new ArrayList<>();
        if (shm.ok()) {
            Df.FileSystem fs = shm.report().fileSystems().get(0);
            facts.add(Answer.known(new Limit("shm_size", fs.size(), "bytes"), shm.source()));
            facts.add(Answer.known(new Limit("shm_free", fs.available(), "bytes"), shm.source()));
        } else {
            facts.add(Answer.unknown("Limit(shm_size)", shm.why(), shm.source()));
            facts.add(Answer.unknown("Limit(shm_free)", shm.why(), shm.source()));
        }
        if (tmp.ok()) {
            long free = tmp.report().fileSystems().get(0).available();
            facts.add(Answer.known(new Limit("disk_free", free, "bytes"), tmp.source()));
        } else {
            facts.add(Answer.unknown("Limit(disk_free)", tmp.why(), tmp.source()));
        }
        return facts;
    }
}

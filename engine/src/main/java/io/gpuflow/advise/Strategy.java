package io.gpuflow.advise;

import io.gpuflow.advise.Layout.Offload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a strategy: words joined by +, each with a number of ranks where one is needed: ddp, fsdp2,
 * hsdp8, tp4+fsdp2, tp2+pp4, zero3-cpu.
 */
public final class Strategy {
    private static final Pattern DIMENSION = Pattern.compile("(tp|sp|pp|cp|ep)(\\d*)");
    private static final Pattern HYBRID = Pattern.compile("hsdp(\\d*)");

    private static final Map<String, DataParallel> DATA =
            Map.ofEntries(
                    Map.entry("single", DataParallel.NONE),
                    Map.entry("ddp", DataParallel.DDP),
                    Map.entry("dp", DataParallel.DDP),
                    Map.entry("fsdp", DataParallel.FSDP2),
                    Map.entry("fsdp2", DataParallel.FSDP2),
                    Map.entry("fsdp2-no-reshard", DataParallel.FSDP2_NO_RESHARD),
                    Map.entry("fsdp2-noreshard", DataParallel.FSDP2_NO_RESHARD),
                    Map.entry("zero1", DataParallel.ZERO1),
                    Map.entry("zero2", DataParallel.ZERO2),
                    Map.entry("zero3", DataParallel.ZERO3));

    private int tp = 1;
    private int pp = 1;
    private int cp = 1;
    private int ep = 1;
    private boolean sequenceParallel;
    private String open;
    private Integer hybrid;
    private DataParallel data;
    private Offload optimizerOffload = Offload.NONE;
    private Offload weightOffload = Offload.NONE;
    private final int gpus;
    private final List<String> problems = new ArrayList<>();

    private Strategy(int gpus) {
        this.gpus = gpus;
    }

    /**
     * The layout of a strategy on so many GPUs.
     *
     * @throws BadModel with what is wrong with the words
     */
    public static Layout layout(String words, int gpus, int virtualStages) throws BadModel {
        Strategy s = new Strategy(gpus);
        for (String word : words.toLowerCase(Locale.ROOT).split("\\+", -1)) {
            s.word(word);
        }
        Layout layout = s.made(virtualStages);
        if (!s.problems.isEmpty()) {
            throw new BadModel(
                    s.problems.stream().map(p -> "--strategy " + words + ": " + p).toList());
        }
        return layout;
    }

    private void word(String word) {
        Matcher dimension = DIMENSION.matcher(word);
        Matcher hsdp = HYBRID.matcher(word);
        if (dimension.matches()) {
            dimension(dimension.group(1), dimension.group(2));
        } else if (hsdp.matches()) {
            data = DataParallel.FSDP2;
            hybrid = hsdp.group(1).isEmpty() ? 0 : number(hsdp.group(1));
        } else {
            data(word);
        }
    }

    private int number(String digits) {
        int n = digits.length() > 6 ? 0 : Integer.parseInt(digits);
        if (n < 1 || n > gpus) {
            problems.add(digits + " ranks cannot be, on " + gpus + " GPUs");
            return 1;
        }
        return n;
    }

    private void dimension(String name, String digits) {
        if (name.equals("sp")) {
            sequenceParallel = true;
            return;
        }
        if (digits.isEmpty()) {
            if (open != null) {
                problems.add(
                        "how many ranks for " + open + " and for " + name + "? say " + name + "2");
            }
            open = name;
            return;
        }
        set(name, number(digits));
    }

    private void set(String name, int ranks) {
        switch (name) {
            case "tp" -> tp = ranks;
            case "pp" -> pp = ranks;
            case "cp" -> cp = ranks;
            default -> ep = ranks;
        }
    }

    private void data(String word) {
        String plain = word;
        for (Offload to : new Offload[] {Offload.CPU, Offload.NVME}) {
            String end = "-" + to.name().toLowerCase(Locale.ROOT);
            if (plain.startsWith("zero") && plain.endsWith("-optimizer" + end)) {
                plain = plain.substring(0, plain.length() - ("-optimizer" + end).length());
                optimizerOffload = to;
            } else if (plain.startsWith("zero") && plain.endsWith(end)) {
                plain = plain.substring(0, plain.length() - end.length());
                optimizerOffload = to;
                weightOffload = plain.equals("zero3") ? to : Offload.NONE;
            }
        }
        data = DATA.get(plain);
        if (data == null) {
            problems.add(
                    "there is no "
                            + word.replaceAll("[^\\w.-]", "?")
                            + "; there are single, ddp, fsdp2, fsdp2-no-reshard, hsdpN, zero1, zero2,"
                            + " zero3, zero3-cpu, zero3-nvme, and tpN, sp, ppN, cpN, epN joined by +");
        }
    }

    private Layout made(int virtualStages) {
        boolean alone = data == null;
        if (open != null) {
            if (!alone) {
                problems.add("how many ranks for " + open + "? say " + open + "2");
            }
            set(open, open.equals("ep") ? gpus : Math.max(1, gpus / (tp * pp * cp)));
        }
        int model = tp * pp * cp;
        if (gpus % model != 0) {
            problems.add(model + " ranks for tp, pp and cp do not divide " + gpus + " GPUs evenly");
        }
        int dp = Math.max(1, gpus / model);
        DataParallel kind = data == null ? (dp > 1 ? DataParallel.DDP : DataParallel.NONE) : data;
        if (kind == DataParallel.NONE && dp > 1) {
            problems.add("single is one GPU, and there are " + gpus);
        }
        return new Layout(
                kind,
                dp,
                shard(kind, dp),
                tp,
                sequenceParallel && tp > 1,
                pp,
                pp > 1 ? virtualStages : 1,
                cp,
                ep,
                1,
                optimizerOffload,
                weightOffload);
    }

    private int shard(DataParallel kind, int dp) {
        if (kind == DataParallel.NONE || kind == DataParallel.DDP) {
            return 1;
        }
        if (hybrid == null) {
            return dp;
        }
        int shard = hybrid == 0 ? Math.max(1, dp / 2) : hybrid;
        if (dp % shard != 0) {
            problems.add(shard + " ranks that share the weights do not divide " + dp + " evenly");
            return dp;
        }
        return shard;
    }
}

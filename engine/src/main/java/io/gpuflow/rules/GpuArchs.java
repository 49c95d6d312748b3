package io.gpuflow.rules;

import java.util.List;

/** Whether a PyTorch build has code for a GPU. */
public final class GpuArchs {
    private GpuArchs() {}

    /**
     * Whether a GPU is known not to be served by a build. Binary code (sm_80) runs on GPUs of the
     * same major and at least the same minor number, PTX (compute_80) on every newer one; AMD code
     * (gfx942) on that GPU alone. False when the capability or the list can't be read.
     *
     * @param archs as torch.cuda.get_arch_list() tells them
     * @param capability "9.0" or "gfx942"
     */
    public static boolean lacks(List<String> archs, String capability) {
        if (archs == null || archs.isEmpty() || capability == null) {
            return false;
        }
        if (capability.startsWith("gfx")) {
            String gpu = capability.split(":")[0];
            return archs.stream().anyMatch(a -> a.startsWith("gfx"))
                    && archs.stream().noneMatch(a -> a.split(":")[0].equals(gpu));
        }
        int[] gpu = number(capability.replace(".", ""));
        return gpu != null && archs.stream().noneMatch(a -> runs(a, gpu));
    }

    private static boolean runs(String arch, int[] gpu) {
        int cut = arch.indexOf('_');
        int[] code = cut < 0 ? null : number(arch.substring(cut + 1));
        if (code == null) {
            return true;
        }
        boolean suffixed = !Character.isDigit(arch.charAt(arch.length() - 1));
        if (suffixed) {
            // sm_90a runs on 9.0 alone, sm_100f on its family.
            return code[0] == gpu[0];
        }
        if (arch.startsWith("compute")) {
            return code[0] < gpu[0] || (code[0] == gpu[0] && code[1] <= gpu[1]);
        }
        return code[0] == gpu[0] && code[1] <= gpu[1];
    }

    /** 90, 100 or 120a as major and minor. */
    private static int[] number(String text) {
        String digits = text.replaceAll("\\D.*", "");
        if (digits.length() < 2 || digits.length() > 4) {
            return null;
        }
        int value = Integer.parseInt(digits);
        return new int[] {value / 10, value % 10};
    }
}

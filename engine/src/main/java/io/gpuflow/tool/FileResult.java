package io.gpuflow.tool;

/**
 * What reading a file gave.
 *
 * @param text its content, or null when it could not be read
 * @param why the reason it could not be read: "does not exist", "permission denied", "not in the
 *     recording"
 * @param absent true only when it is known not to exist
 */
public record FileResult(String path, String text, String why, boolean absent) {
    public boolean ok() {
        return text != null;
    }
}

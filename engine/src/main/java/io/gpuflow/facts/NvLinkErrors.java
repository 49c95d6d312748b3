package io.gpuflow.facts;

/**
 * Error counters of one NVLink since the driver was loaded. NVLink 2 to 4 counts replays and CRC
 * errors; NVLink 5 corrects errors beforehand and counts what that leaves. A counter that the link
 * does not have is null.
 *
 * @param recovery times the link was trained anew, successfully or not
 * @param failedRecovery of these, how many failed; NVLink 5
 * @param effective errors that forward error correction did not correct; NVLink 5
 */
public record NvLinkErrors(
        int gpu,
        int link,
        Long replay,
        Long recovery,
        Long crc,
        Long failedRecovery,
        Long effective)
        implements Fact {}

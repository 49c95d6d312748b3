package io.gpuflow.facts;

import java.util.List;

/**
 * The bus bandwidth that the probed links allow for one collective and one transport, GB/s (10⁹
 * bytes), large messages. A machine whose links are better than the transport in use has two: one
 * for each.
 *
 * @param gbps upper bound: the links' rate per direction, whatever software does
 * @param expectedGbps what healthy machines of this kind reach of it; null when there is no public
 *     measurement to rest on
 * @param transport in the words of {@link Bench#transport}: P2P, SHM, NET/IB, NET/Socket, NVLS;
 *     null when it is not known which of them PCIe allows
 * @param referenceGbps what others measured on as many GPUs of this model over this path, for
 *     comparison only; null when none is known
 * @param reference who measured it, on what; null without one
 * @param because the arithmetic, a step a line, with units and the source of each number
 */
public record BusCeiling(
        String op,
        int ranks,
        double gbps,
        Double expectedGbps,
        String transport,
        List<String> because,
        Double referenceGbps,
        String reference)
        implements Fact {}

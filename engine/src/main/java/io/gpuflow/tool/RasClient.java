package io.gpuflow.tool;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Asks NCCL's RAS service, which every process of a job offers since NCCL 2.24, for the state of
 * the whole job. Plain text over TCP; needs no ncclras program, which PyTorch's wheels do not ship.
 */
public final class RasClient {
    private static final int LARGEST = 8 << 20;

    private RasClient() {}

    /** True when it reads host:port; whether anybody answers there is another question. */
    public static boolean isAddress(String address) {
        return address.matches("\\S+:\\d{1,5}");
    }

    /**
     * The answer to VERBOSE STATUS.
     *
     * @param address host:port, as in NCCL_RAS_ADDR
     * @param limit for everything; a stopped process accepts a connection and never answers
     * @throws IOException with the reason in words; when the service broke off, with what it had
     *     said
     */
    public static String status(String address, Duration limit) throws IOException {
        int colon = address.lastIndexOf(':');
        if (colon <= 0) {
            throw new IOException("not a RAS address (host:port): " + address);
        }
        int port;
        try {
            port = Integer.parseInt(address.substring(colon + 1).trim());
        } catch (NumberFormatException e) {
            throw new IOException("not a RAS address (host:port): " + address, e);
        }
        String host = address.substring(0, colon).replaceAll("^\\[|]$", "");
        long deadline = System.nanoTime() + limit.toNanos();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), millisTo(deadline));
            // The service gives up collecting from silent peers in time to tell us of the others.
            long patience = Math.max(1, limit.toSeconds() - 2);
            String request = "CLIENT PROTOCOL 2\nTIMEOUT " + patience + "\nVERBOSE STATUS\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return withoutReplies(readAll(socket, deadline));
        } catch (SocketTimeoutException e) {
            throw new IOException(
                    "no answer from " + address + " within " + limit.toSeconds() + " s", e);
        } catch (IllegalArgumentException e) {
            throw new IOException("not a RAS address (host:port): " + address, e);
        }
    }

    private static String readAll(Socket socket, long deadline) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        byte[] buffer = new byte[1 << 14];
        while (text.size() < LARGEST) {
            socket.setSoTimeout(millisTo(deadline));
            int count = in.read(buffer);
            if (count < 0) {
                break;
            }
            text.write(buffer, 0, count);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    private static int millisTo(long deadline) throws SocketTimeoutException {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }

    /** Leaves out the replies to the handshake and to TIMEOUT, which stand before the report. */
    private static String withoutReplies(String answer) {
        int at = 0;
        while (answer.startsWith("SERVER PROTOCOL", at)
                || answer.startsWith("OK\n", at)
                || answer.startsWith("OK\r", at)) {
            int end = answer.indexOf('\n', at);
            at = end < 0 ? answer.length() : end + 1;
        }
        return answer.substring(at);
    }
}

package io.gpuflow.flow;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Speaks NCCL's RAS protocol as far as a client needs it, always with the same report. */
final class RasServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final List<String> asked = new CopyOnWriteArrayList<>();

    RasServer(String report) throws IOException {
        Thread thread = new Thread(() -> serve(report), "ras-server");
        thread.setDaemon(true);
        thread.start();
    }

    String address() {
        return socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort();
    }

    String asked() {
        return asked.toString();
    }

    private void serve(String report) {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                answer(client, report);
            } catch (IOException e) {
                // The client went away, or the test is over.
                continue;
            }
        }
    }

    private void answer(Socket client, String report) throws IOException {
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            asked.add(line);
            String reply =
                    line.startsWith("CLIENT PROTOCOL")
                            ? "SERVER PROTOCOL 2\n"
                            : line.startsWith("TIMEOUT")
                                    ? "OK\n"
                                    : line.endsWith("STATUS") ? report : "ERROR: Unknown command\n";
            client.getOutputStream().write(reply.getBytes(StandardCharsets.UTF_8));
            if (line.endsWith("STATUS")) {
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

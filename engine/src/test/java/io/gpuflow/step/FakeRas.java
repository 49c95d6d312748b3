package io.gpuflow.step;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Speaks the server's side of NCCL's RAS protocol on a port of its own. */
final class FakeRas implements AutoCloseable {
    static final String REPORT =
            "NCCL version 2.28.9 compiled with CUDA 13.0\n\nJob summary\n===========\n\n"
                    + "Communicators... (0.000s)\n=============\n\nErrors\n======\n\nWarnings\n========\n\n";

    private final ServerSocket server;
    private final boolean silent;
    final List<String> asked = new CopyOnWriteArrayList<>();

    /**
     * @param silent accepts and never answers, as a stopped process does
     */
    FakeRas(boolean silent) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.silent = silent;
        Thread thread = new Thread(this::serve, "fake-ras");
        thread.setDaemon(true);
        thread.start();
    }

    String address() {
        return "localhost:" + server.getLocalPort();
    }

    private void serve() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> answer(socket), "fake-ras-answer");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void answer(Socket socket) {
        if (silent) {
            return;
        }
        try (socket;
                OutputStream out = socket.getOutputStream();
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream()))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                asked.add(line);
                String reply =
                        switch (line.split(" ")[0]) {
                            case "CLIENT" -> "SERVER PROTOCOL 2\n";
                            case "TIMEOUT" -> "OK\n";
                            case "VERBOSE" -> REPORT;
                            default -> "ERROR: Unknown command\n";
                        };
                out.write(reply.getBytes(StandardCharsets.US_ASCII));
                out.flush();
                if (line.startsWith("VERBOSE")) {
                    return;
                }
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}

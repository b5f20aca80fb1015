package org.trueasync.examples.service;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * Many clients that ask as fast as they are answered, on plain sockets so that nothing repeats a request by itself.
 * They stop when the service lets nobody in any more.
 */
final class Clients implements AutoCloseable {
    /** What became of a request. */
    enum Outcome {
        ANSWERED,
        /** Nobody listens any more: another instance of the service would be asked. */
        NOT_LET_IN,
        /** Tomcat had closed its door, and drops who stands in the queue before it: nothing of the request was read. */
        DROPPED_AT_THE_DOOR,
        /** A kept connection was closed between two requests, and may be opened again. */
        CLOSED_BETWEEN,
        /** By Tomcat as it closes, with {@code Connection: close}: no handler has seen the request. */
        TOLD_TO_GO_ELSEWHERE,
        /** Another status, or an accepted connection that broke. */
        FAILED
    }

    private final int port;
    private final String path;
    private final Map<Outcome, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Clients(int port, String path) {
        this.port = port;
        this.path = path;
    }

    /** Begins clients that keep their connection, or open one for each request. */
    void begin(int count, boolean keepAlive) {
        for (int i = 0; i < count; i++) threads.execute(() -> ask(keepAlive));
    }

    long count(Outcome outcome) {
        LongAdder count = outcomes.get(outcome);
        return count == null ? 0 : count.sum();
    }

    void awaitAnswers(long answers) throws InterruptedException {
        while (count(Outcome.ANSWERED) < answers) Thread.sleep(5);
    }

    private void ask(boolean keepAlive) {
        while (true) {
            try (Socket socket = new Socket()) {
                try {
                    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                } catch (ConnectException e) {
                    note(Outcome.NOT_LET_IN);
                    return;
                } catch (SocketException e) {
                    note(Outcome.DROPPED_AT_THE_DOOR);
                    continue;
                }
                // a client that hangs is a failure
                socket.setSoTimeout(60_000);
                for (boolean first = true; askOn(socket, keepAlive, first); first = false) {}
            } catch (IOException e) {
                fail(e.toString());
            }
        }
    }

    /** Returns whether the connection may be used again. */
    private boolean askOn(Socket socket, boolean keepAlive, boolean first) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + (keepAlive ? "" : "Connection: close\r\n")
                + "\r\n";
        String head;
        try {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            head = head(socket.getInputStream());
        } catch (EOFException | SocketException e) {
            note(first ? Outcome.DROPPED_AT_THE_DOOR : Outcome.CLOSED_BETWEEN);
            return false;
        }
        boolean goesOn = keepAlive && !head.contains("\r\nConnection: close");
        String status = head.substring(0, head.indexOf("\r\n"));
        body(socket.getInputStream(), head);
        if (status.contains(" 200")) note(Outcome.ANSWERED);
        else if (status.matches("\\S+ (400|503).*") && !goesOn) note(Outcome.TOLD_TO_GO_ELSEWHERE);
        else fail(status);
        return goesOn;
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0 && head.isEmpty()) throw new EOFException("closed without an answer");
            if (next < 0) throw new IOException("closed within an answer");
            head.append((char) next);
        }
        return head.toString();
    }

    private static void body(InputStream in, String head) throws IOException {
        String length = "\r\nContent-Length: ";
        int at = head.indexOf(length);
        if (at >= 0) {
            int begin = at + length.length();
            int bytes = Integer.parseInt(head.substring(begin, head.indexOf("\r\n", begin)));
            if (in.readNBytes(bytes).length < bytes) throw new IOException("closed within an answer");
            return;
        }
        // chunks; ours are one each
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n0\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) throw new IOException("closed within an answer");
            text.append((char) next);
        }
    }

    private void note(Outcome outcome) {
        outcomes.computeIfAbsent(outcome, _ -> new LongAdder()).increment();
    }

    private void fail(String how) {
        note(Outcome.FAILED);
        failures.computeIfAbsent(how, _ -> new LongAdder()).increment();
    }

    /** Waits until none of them is let in any more. */
    @Override
    public void close() {
        threads.close();
    }

    @Override
    public String toString() {
        return outcomes + (failures.isEmpty() ? "" : ", failures " + failures);
    }
}

package org.trueasync.http;

import com.sun.net.httpserver.HttpServer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Body;

/** Servers of {@code com.sun.net.httpserver}: the JDK's own one on a plain thread, and ours on each reactor. */
final class JdkServers {
    /** A test that gets the name of each server in turn; where their behaviour must agree. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @ValueSource(strings = {"jdk", "libuv", "nio"})
    @interface EachServer {}

    /** What is done with a server. */
    @FunctionalInterface
    interface Use {
        void of(HttpServer server) throws Exception;
    }

    private JdkServers() {}

    /** Runs a program where it gets this kind of server; returns what was reported. */
    static List<String> run(String kind, Body program) {
        if (!kind.equals("jdk")) return Http.run(kind, program);
        try {
            program.run();
        } catch (Exception | Error e) {
            throw JdkServers.<RuntimeException>sneak(e);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return List.of();
    }

    /** Runs a server for as long as it is used; nothing may be reported. */
    static void serve(String kind, Use setUp, Use client) {
        List<String> reports = new ArrayList<>(run(kind, () -> {
            HttpServer server = create();
            setUp.of(server);
            server.start();
            try {
                client.of(server);
            } finally {
                server.stop(0);
            }
        }));
        if (!reports.isEmpty()) throw new AssertionError("reported: " + reports);
    }

    static HttpServer create() throws Exception {
        return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    static String request(String method, String target, String... fields) {
        var text = new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: a\r\n");
        for (String field : fields) text.append(field).append("\r\n");
        return text.append("\r\n").toString();
    }

    /** Makes one request on a connection of its own, and returns the whole response. */
    static String ask(HttpServer server, String method, String target, String... fields) throws Exception {
        return send(server, "", method, target, fields);
    }

    static String send(HttpServer server, String body, String method, String target, String... fields)
            throws Exception {
        String[] all = java.util.Arrays.copyOf(fields, fields.length + 1);
        all[fields.length] = "Connection: close";
        return Raw.exchange(server.getAddress().getPort(), request(method, target, all) + body);
    }

    /** A response without what servers may choose: order and case of fields, the date, chunks' sizes. */
    static String essence(String response) {
        int end = response.indexOf("\r\n\r\n");
        if (end < 0) return response;
        String[] lines = response.substring(0, end).split("\r\n");
        var fields = new ArrayList<String>();
        boolean chunked = false;
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            String field = lines[i].substring(0, colon).toLowerCase(Locale.ROOT) + lines[i].substring(colon);
            if (field.startsWith("date:") || field.startsWith("connection:")) continue;
            fields.add(field);
            chunked |= field.startsWith("transfer-encoding:");
        }
        fields.sort(null);
        String body = response.substring(end + 4);
        return lines[0] + "\n" + String.join("\n", fields) + "\n\n" + (chunked ? joined(body) : body);
    }

    private static String joined(String chunks) {
        var all = new StringBuilder();
        int at = 0;
        while (true) {
            int line = chunks.indexOf("\r\n", at);
            if (line < 0) return all + " (cut)";
            int size = Integer.parseInt(chunks.substring(at, line), 16);
            if (size == 0) return all.toString();
            all.append(chunks, line + 2, line + 2 + size);
            at = line + 2 + size + 2;
        }
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> X sneak(Throwable error) throws X {
        throw (X) error;
    }
}

package org.trueasync.stress.soak;

import java.util.ArrayList;
import java.util.List;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.http.Exchange;
import org.trueasync.http.HttpClient;
import org.trueasync.http.HttpResponse;
import org.trueasync.http.HttpServer;

/**
 * Calls of several clients, each in the order of its numbers. One in a hundred is cancelled, aborted by the server, or
 * answered too late; it may have arrived, and whatever was answered has.
 */
final class HttpLane implements Lane {
    private final HttpClient.Builder settings;
    private final int clients;

    HttpLane(HttpClient.Builder settings, int clients) {
        this.settings = settings;
        this.clients = clients;
    }

    @Override
    public void run(Soak soak, Tally tally) {
        var sequences = new ArrayList<Sequence>();
        for (int i = 0; i < clients; i++) sequences.add(new Sequence(tally.name + ", client " + i));
        try (HttpServer server = HttpServer.builder().host("127.0.0.1").listen(exchange -> serve(exchange, sequences));
                HttpClient client = settings.maxConnections(clients).build()) {
            String uri = "http://127.0.0.1:" + server.port() + "/";
            List<Coroutine<?>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int number = i;
                all.add(Async.spawn(() -> {
                    while (!soak.isOver()) call(soak, tally, client, uri + number, sequences.get(number));
                }));
            }
            all.forEach(Coroutine::await);
        }
    }

    private static void serve(Exchange exchange, List<Sequence> sequences) {
        String body = exchange.text();
        sequences.get(Integer.parseInt(exchange.path().substring(1))).got(Long.parseLong(body));
        switch (String.valueOf(exchange.queryParameter("fault"))) {
            case "abort" -> exchange.abort();
            case "late" -> {
                Async.delay(3);
                exchange.respond(body);
            }
            default -> exchange.respond(body);
        }
    }

    private static void call(Soak soak, Tally tally, HttpClient client, String uri, Sequence sequence) {
        long number = sequence.take();
        if (!soak.isFault()) {
            if (!send(client, uri, number)) throw new AssertionError("another answer");
            sequence.acknowledged(number);
            tally.messages++;
            return;
        }
        tally.faults++;
        boolean done = false;
        switch (soak.random.nextInt(3)) {
            case 0 -> done = soak.cut(() -> send(client, uri, number));
            case 1 -> {
                try {
                    send(client, uri + "?fault=abort", number);
                } catch (InputOutputException e) {
                    // as it was told to
                }
            }
            default -> done = soak.cut(() -> send(client, uri + "?fault=late", number));
        }
        if (done) sequence.acknowledged(number);
        else sequence.fault(number);
    }

    private static boolean send(HttpClient client, String uri, long number) {
        try (HttpResponse response =
                client.request("POST", uri).body(Long.toString(number)).send()) {
            return response.status() == 200 && response.text().equals(Long.toString(number));
        }
    }
}

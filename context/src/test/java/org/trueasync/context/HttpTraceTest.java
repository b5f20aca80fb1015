package org.trueasync.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.http.HttpClient;
import org.trueasync.http.HttpFilters;
import org.trueasync.http.HttpServer;
import org.trueasync.http.TraceContext;

/** OpenTelemetry's context over HTTP: it comes with a request, and goes with a call. */
@Timeout(60)
class HttpTraceTest {
    private static final String ID = "0af7651916cd43dd8448eb211c80319c";
    private static final String RECEIVED = "00-" + ID + "-b7ad6b7169203331-01";

    @Test
    void spansOfOthers_areInTheTraceOfTheRequest() {
        var sent = new ArrayList<String>();
        Async.runtime().reactor("nio").run(() -> {
            try (var provider = SdkTracerProvider.builder().build();
                    var target = HttpServer.listen(0, exchange -> {
                        sent.add(exchange.header("traceparent") + " " + exchange.header("tracestate") + " "
                                + exchange.header("baggage"));
                        exchange.respond("");
                    });
                    var client = HttpClient.builder().build()) {
                String to = "http://127.0.0.1:" + target.port() + "/";
                var filter = HttpFilters.trace();
                try (var server = HttpServer.listen(0, filter.around(exchange -> {
                    client.get(to).close();
                    Span span = provider.get("test").spanBuilder("work").startSpan();
                    try (var scope = span.makeCurrent()) {
                        assertThat(Baggage.current().getEntryValue("user")).isEqualTo("ada");
                        client.get(to).close();
                        client.request("GET", to)
                                .header("traceparent", "mine")
                                .send()
                                .close();
                    } finally {
                        span.end();
                    }
                    assertThat(TraceContext.current().traceId()).isEqualTo(ID);
                    exchange.respond(span.getSpanContext().getTraceId() + " "
                            + span.getSpanContext().getSpanId());
                }))) {
                    String answer = client.request("GET", "http://127.0.0.1:" + server.port() + "/")
                            .header("traceparent", RECEIVED)
                            .header("tracestate", "a=1")
                            .header("baggage", "user=ada")
                            .send()
                            .text();
                    assertThat(answer).startsWith(ID + " ");
                    assertThat(sent)
                            .containsExactly(
                                    RECEIVED + " a=1 user=ada",
                                    "00-" + answer.replace(' ', '-') + "-01 a=1 user=ada",
                                    "mine null null");
                }
            }
        });
    }
}

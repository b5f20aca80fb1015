package org.trueasync.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.read.ListAppender;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.spi.ContextPropagator;

/** The thread locals of libraries go to coroutines and tasks because their jars are there: none is registered here. */
class LibrariesTest {
    @Test
    void mdcOfLogback_goesAlong() {
        Doors.check(
                () -> Objects.requireNonNullElse(MDC.get("request"), "none"),
                value -> MDC.put("request", value),
                value -> MDC.remove("request"));
    }

    @Test
    void linesOfCoroutines_haveTheirNamesAsTheThread() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        var layout = new PatternLayout();
        layout.setContext(context);
        layout.setPattern("[%thread] %message");
        layout.start();
        List<String> lines = new ArrayList<>();
        var printed = new AppenderBase<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent line) {
                lines.add(layout.doLayout(line));
            }
        };
        printed.setContext(context);
        printed.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(printed);
        try {
            Logger log = LoggerFactory.getLogger("test");
            Async.run(() -> {
                Coroutine<?> first = spawn("first", () -> {
                    log.info("before");
                    Async.delay(1);
                    log.info("after");
                });
                await(spawn("second", () -> log.info("between")));
                await(first);
                await(spawn(() -> log.info("without a name")));
            });
        } finally {
            root.detachAppender(printed);
        }
        assertThat(lines.subList(0, 3)).containsExactly("[first] before", "[second] between", "[first] after");
        assertThat(lines.getLast())
                .as("Logback's own word for a thread without a name")
                .matches("\\[virtual-\\d+] without.*");
    }

    @Test
    void linesOfCoroutines_haveTheMdcOfTheirRequest() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        var lines = new ListAppender<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent line) {
                line.prepareForDeferredProcessing(); // takes the MDC
                super.append(line);
            }
        };
        lines.setContext(context);
        lines.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(lines);
        try {
            Logger log = LoggerFactory.getLogger("test");
            Async.run(() -> {
                List<Coroutine<?>> all = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    MDC.put("request", "r" + i);
                    int number = i;
                    all.add(spawn(() -> {
                        Async.delay(1);
                        MDC.put("step", "s" + number);
                        Async.blocking(() -> log.info("from {}", number));
                        log.info("from {}", number);
                    }));
                }
                MDC.clear();
                for (Coroutine<?> one : all) await(one);
                log.info("from none");
            });
        } finally {
            root.detachAppender(lines);
        }
        assertThat(lines.list.stream().filter(line -> line.getLoggerName().equals("test")))
                .hasSize(11)
                .allSatisfy(line -> {
                    String number = line.getFormattedMessage().replace("from ", "");
                    if (number.equals("none"))
                        assertThat(line.getMDCPropertyMap()).isEmpty();
                    else
                        assertThat(line.getMDCPropertyMap())
                                .containsEntry("request", "r" + number)
                                .containsEntry("step", "s" + number);
                });
    }

    @Test
    @SuppressWarnings("MustBeClosedChecker")
    void contextOfOpenTelemetry_goesAlong() {
        ContextKey<String> key = ContextKey.named("request");
        Doors.check(
                () -> Objects.requireNonNullElse(Context.current().get(key), "none"),
                value -> Context.root().with(key, value).makeCurrent(),
                value -> Context.root().makeCurrent());
    }

    @Test
    void spansOfCoroutinesAndTasks_areOneTrace() {
        InMemorySpanExporter exporter = InMemorySpanExporter.create();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build();
        try (OpenTelemetrySdk sdk =
                OpenTelemetrySdk.builder().setTracerProvider(provider).build()) {
            Tracer tracer = sdk.getTracer("test");
            Async.run(() -> {
                Span request = tracer.spanBuilder("request").startSpan();
                try (Scope _ = request.makeCurrent()) {
                    List<Coroutine<?>> all = new ArrayList<>();
                    for (int i = 0; i < 10; i++)
                        all.add(spawn(() -> span(tracer, "coroutine", () -> {
                            Async.delay(1);
                            Async.blocking(() -> span(tracer, "blocking", () -> {}));
                        })));
                    for (Coroutine<?> one : all) await(one);
                } finally {
                    request.end();
                }
                span(tracer, "another", () -> {});
            });
            List<SpanData> spans = exporter.getFinishedSpanItems();
            assertThat(spans).hasSize(22);
            SpanData request = named(spans, "request").getFirst();
            assertThat(named(spans, "coroutine")).hasSize(10).allSatisfy(span -> {
                assertThat(span.getTraceId()).isEqualTo(request.getTraceId());
                assertThat(span.getParentSpanId()).isEqualTo(request.getSpanId());
            });
            assertThat(named(spans, "blocking")).hasSize(10).allSatisfy(span -> assertThat(named(spans, "coroutine"))
                    .anyMatch(parent -> parent.getSpanId().equals(span.getParentSpanId())));
            assertThat(named(spans, "another").getFirst().getTraceId()).isNotEqualTo(request.getTraceId());
        }
    }

    @Test
    @SuppressWarnings("MustBeClosedChecker") // the thread ends
    void mdcAndTrace_reachAnotherProcessAsText_aUserDoesNot() {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create()))
                .build();
        try (OpenTelemetrySdk sdk =
                OpenTelemetrySdk.builder().setTracerProvider(provider).build()) {
            Span request = sdk.getTracer("test").spanBuilder("request").startSpan();
            Map<String, String> text = Async.runtime().run(() -> {
                MDC.put("request", "r1");
                SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ada", "secret"));
                Baggage.builder().put("tenant", "acme").build().makeCurrent();
                request.makeCurrent();
                return ContextPropagator.callersText();
            });
            assertThat(text).containsOnlyKeys("mdc:request", "w3c:traceparent", "w3c:baggage");
            String there = Async.runtime().run(() -> {
                ContextPropagator.giveText(Objects.requireNonNull(text));
                return await(spawn(() -> MDC.get("request") + " "
                        + Span.current().getSpanContext().getTraceId() + " "
                        + Baggage.current().getEntryValue("tenant") + " "
                        + SecurityContextHolder.getContext().getAuthentication()));
            });
            assertThat(there).isEqualTo("r1 " + request.getSpanContext().getTraceId() + " acme " + null);
        }
    }

    private static List<SpanData> named(List<SpanData> spans, String name) {
        return spans.stream().filter(span -> span.getName().equals(name)).toList();
    }

    private static void span(Tracer tracer, String name, Runnable body) {
        Span span = tracer.spanBuilder(name).startSpan();
        try (Scope _ = span.makeCurrent()) {
            body.run();
        } finally {
            span.end();
        }
    }

    @Test
    void userOfSpringSecurity_goesAlong() {
        Doors.check(
                () -> {
                    Authentication user = SecurityContextHolder.getContext().getAuthentication();
                    return user == null ? "none" : user.getName();
                },
                value -> {
                    var context = SecurityContextHolder.createEmptyContext();
                    context.setAuthentication(new TestingAuthenticationToken(value, "secret"));
                    SecurityContextHolder.setContext(context);
                },
                value -> SecurityContextHolder.clearContext());
    }
}

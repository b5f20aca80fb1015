package org.trueasync.http;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.PublicTypes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.WaitCase.SetUp;
import org.trueasync.internal.testkit.WaitEndings;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.internal.testkit.WaitingMethods;
import org.trueasync.io.TcpStream;

/** Every wait of every public operation of this module, ended in every way. In virtual time. */
@Tag("sized")
class EveryWaitOfHttpTest {
    private static final Map<String, SetUp> TABLE = new LinkedHashMap<>();

    static {
        for (ExchangeWaits.Over over : ExchangeWaits.Over.values()) TABLE.putAll(new ExchangeWaits(over).rows());
        for (boolean http2 : new boolean[] {false, true}) TABLE.putAll(new ClientWaits(http2).rows());
        TABLE.putAll(new Http2ClientWaits().rows());
    }

    /** What may wait as far as the code shows, and why it has no row; {@code ...} stands for any parameters. */
    private static final Map<String, String> WITHOUT_ROWS = Map.ofEntries(
            entry("CorsFilter.handle(...)", "calls the next handler"),
            entry("RateLimitFilter.handle(...)", "calls the next handler"),
            entry("HttpFilter.handle(...)", "calls the next handler"),
            entry("HttpHandler.handle(...)", "is the program's"),
            entry("FileHandler.handle(...)", "calls Exchange.respond"),
            entry("Routes.handle(...)", "calls the route's handler"),
            entry("HttpFilter.around(...)", "makes a handler, whose lambda waits"),
            entry("HttpFilters.basic(...)", "makes a filter, whose lambda waits"),
            entry("HttpFilters.bearer(...)", "as above"),
            entry("HttpFilters.requestId(...)", "as above"),
            entry("HttpFilters.securityHeaders(...)", "as above"),
            entry("HttpFilters.slowRequests(...)", "as above"),
            entry("HttpFilters.trace(...)", "as above"),
            entry("Routes.around(...)", "as above"),
            entry("Routes.delete(...)", "as above"),
            entry("Routes.get(...)", "as above"),
            entry("Routes.host(...)", "as above"),
            entry("Routes.patch(...)", "as above"),
            entry("Routes.post(...)", "as above"),
            entry("Routes.put(...)", "as above"),
            entry("Routes.route(...)", "as above"),
            entry("Routes.under(...)", "as above"),
            entry("HttpRequest.body(...)", "keeps a writer, whose lambda waits"),
            entry("HttpRequest.json(...)", "makes bytes; only its codec is found to wait"),
            entry("JsonCodec.installed(...)", "loads classes, once, as Async.blocking"),
            entry("EventStream.trySend(...)", "sends nothing if it would wait"),
            entry("EventStream.keepAlive(...)", "is the loop of a coroutine of its own"),
            entry("HttpServer.Builder.listen(...)", "looks its host up as TcpServer.listen does"),
            entry("HttpServer.listen(...)", "as above"),
            entry("HttpServer.close(...)", "returns at once: cancels"),
            entry("HttpClient.close(...)", "closes connections: of TLS as TlsStream.close"),
            entry("HttpResponse.close(...)", "waits for the writer of the body that it has cancelled"),
            entry("Exchange.abort(...)", "closes the connection"),
            entry("Exchange.respond(...)", "reads a real file, in real time; as AsyncFile.sendTo"));

    /** As above, of what stands behind the JDK's types. */
    private static final Map<String, String> BEHIND_WITHOUT_ROWS = Map.ofEntries(
            entry("BodySender.write", "is the stream of a body's writer, in a coroutine of its own"),
            entry("ClientExchange.close", "as HttpResponse.close"),
            entry("DecodedInput.close", "reads as RequestInput does"),
            entry("DecodedInput.read", "reads as RequestInput does"),
            entry("HttpClient.close", "see above"),
            entry("HttpResponse.close", "see above"),
            entry("HttpServer.close", "see above"),
            entry("RequestStream.read", "of the JDK's server: reads as RequestInput does"),
            entry("ResponseInput.Raw.read", "has a row as ResponseInput"),
            entry("ResponseInput.close", "as HttpResponse.close"),
            entry("ResponseStream.close", "of the JDK's server: writes as ResponseOutput does"),
            entry("ResponseStream.flush", "as above"),
            entry("ResponseStream.write", "as above"),
            entry("TakenStream.1.close", "of a stream that was taken over: its waits are TcpStream's"),
            entry("TakenStream.1.read", "as above"),
            entry("TakenStream.1.write", "as above"),
            entry("TakenStream.close", "as above"),
            entry("WebSocket.close", "has rows by its own name"));

    /** What waits over HTTP/1 alone, and why. */
    private static final Map<String, String> WITHOUT_ROWS_OF_HTTP_2 = Map.ofEntries(
            entry("Exchange.redirect(String)", "sends a head alone, which never waits"),
            entry("Exchange.redirect(int, String)", "as above"),
            entry("Exchange.respond(int)", "as above"),
            entry("Exchange.unlessModified(String)", "as above"),
            entry("Exchange.webSocket()", "as above"),
            entry("Exchange.webSocket(Options)", "as above"),
            entry("Exchange.events()", "as above"),
            entry("Exchange.upgrade(String)", "HTTP/2 has none"));

    static Stream<String> methods() {
        return WaitTable.sample(TABLE.keySet(), Depth.of(6, 1));
    }

    private static SetUp setUp(String method) {
        return Objects.requireNonNull(TABLE.get(method));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void wait_endsInEveryWay(String method) {
        assertReportsNothing(WaitEndings.check(setUp(method), new TestRuntime()));
    }

    /** A server that drains closes its sockets. */
    static Stream<String> inADrain() {
        return methods().filter(method -> !method.startsWith("WebSocket."));
    }

    @ParameterizedTest
    @MethodSource("inADrain")
    void wait_goesOnInADrainAndEndsAfterIt(String method) throws Throwable {
        assertReportsNothing(WaitEndings.checkShutdown(setUp(method), new TestRuntime()));
    }

    @Test
    void everyMethodThatWaits_isInTheTable() throws Exception {
        var code = new WaitingMethods(TcpStream.class, HttpServer.class);
        Set<String> found = code.among(PublicTypes.of(HttpServer.class, "org/trueasync/http"));
        Set<String> rows = TABLE.keySet().stream()
                .map(row -> row.replaceFirst(", over .*", ""))
                .collect(Collectors.toSet());
        found.removeAll(rows);
        assertThat(found.stream().map(EveryWaitOfHttpTest::listed).collect(Collectors.toSet()))
                .isEqualTo(WITHOUT_ROWS.keySet());
        Set<String> behind = code.behindTheJdksTypes(HttpServer.class);
        behind.removeAll(rows);
        assertThat(behind).isEqualTo(BEHIND_WITHOUT_ROWS.keySet());
    }

    @Test
    void everyRow_isThereOverHttp2() {
        assertThat(TABLE.keySet().stream()
                        .filter(row -> !row.contains(", over HTTP/2") && !TABLE.containsKey(row + ", over HTTP/2"))
                        .collect(Collectors.toSet()))
                .isEqualTo(WITHOUT_ROWS_OF_HTTP_2.keySet());
    }

    private static String listed(String method) {
        return WITHOUT_ROWS.containsKey(method) ? method : method.replaceAll("\\(.*", "(...)");
    }

    private static void assertReportsNothing(List<String> reports) {
        assertThat(reports)
                // the handlers of the exchanges wait for ever
                .filteredOn(report -> !report.contains("although work was still under way after 10.0 s"))
                .isEmpty();
    }
}

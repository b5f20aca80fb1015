package org.trueasync.internal.http.server;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.Future;
import org.trueasync.FutureState;
import org.trueasync.InputOutputException;
import org.trueasync.Semaphore;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.Task;
import org.trueasync.internal.http.codings.Codecs;
import org.trueasync.internal.http.codings.Packer;
import org.trueasync.internal.http.message.Coding;
import org.trueasync.internal.http.message.HeadWriter;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.kernel.ScopeExtras;
import org.trueasync.io.ByteStream;
import org.trueasync.spi.Cleanup;

/** A server that listens: its connections, what bounds them, and its end. */
public final class ServerCore {
    private static final int WRITERS_KEPT = 64;
    private static final int WRITER_BYTES = 4 * 1024;
    private static final int LARGEST_WRITER_KEPT = 64 * 1024;
    /** Each has a quarter of a megabyte, outside the heap. */
    private static final int PACKERS_KEPT = 8;

    final ServerSettings settings;
    final ExchangeHandler handler;
    final Loop loop;
    final CoroutineScope scope;
    final ServerCounters counters = new ServerCounters();
    final Buffers buffers = new Buffers();
    final Parsers parsers;
    private final Spares<HeadWriter> writers = new Spares<>(WRITERS_KEPT, () -> new HeadWriter(WRITER_BYTES));
    /** What responses are compressed to, the preferred one first. */
    final List<Coding> codings;

    private final Map<Coding, Spares<Packer>> packers = new EnumMap<>(Coding.class);
    /** How many connections beyond the most may be told so at a time. */
    private static final int MOST_TURNED_AWAY = 100;

    private final Set<Connection> connections = new LinkedHashSet<>();
    private final List<Acceptor> acceptors = new ArrayList<>();
    private final @Nullable Semaphore permits;
    private final Cleanup.Registration drainHook;
    private int turnedAway;
    private boolean reportedNotBegun;
    private boolean draining;
    private @Nullable FutureState<Object> drained;

    /**
     * Begins to listen and to accept. Suspends only to look up a name.
     *
     * @param settings not changed any more
     */
    public ServerCore(ServerSettings settings, ExchangeHandler handler) {
        this(settings, handler, Runtimes.here("HttpServer.listen").currentScope());
        start();
    }

    /**
     * Begins to listen; connections wait in the backlog until {@link #start}. Suspends only to look up a name, and to
     * load what compresses.
     *
     * @param settings not changed any more from {@link #start} on
     * @param parent whose part its own scope is
     */
    public ServerCore(ServerSettings settings, ExchangeHandler handler, CoroutineScope parent) {
        this.settings = settings;
        this.handler = handler;
        this.parsers = new Parsers(settings.maxHeaderBytes);
        this.loop = parent.loop();
        boolean codes = settings.compressFrom > 0 || settings.decodesBodies;
        this.codings = codes ? Async.blocking((Task<List<Coding>>) Codecs::available) : List.of();
        this.permits = settings.maxRunning == Integer.MAX_VALUE
                ? null
                : new Semaphore(settings.maxRunning).maxWaiting(settings.maxQueued);
        try {
            for (ListenerSettings listener : settings.listeners) acceptors.add(Acceptor.listen(listener));
        } catch (Throwable e) {
            stopListening();
            throw e;
        }
        this.scope = parent.child();
        scope.extras().name = "HTTP server " + addresses().getFirst();
        scope.extras().errorHandler = ScopeExtras.ErrorHandler.REPORT;
        this.drainHook = Cleanup.onDrain(this::drain);
    }

    /** Begins to accept; once. */
    public void start() {
        for (Acceptor acceptor : acceptors) {
            CoroutineImpl<Object> accepting = scope.launchFrom("HttpServer.listen", (Body) () -> accept(acceptor));
            accepting.onFinally(c -> acceptor.close());
        }
        // a coroutine that is cancelled before it begins closes nothing
        scope.extras().addFinally(c -> {
            for (Connection connection : connections.toArray(Connection[]::new)) connection.close();
        });
    }

    /** Where it listens, in the order of its settings. */
    public List<SocketAddress> addresses() {
        return acceptors.stream().map(Acceptor::address).toList();
    }

    public ServerCounters counters() {
        return counters;
    }

    // ---- connections

    private void accept(Acceptor acceptor) {
        while (true) {
            ByteStream stream;
            try {
                stream = acceptor.accept();
            } catch (InputOutputException e) {
                if (acceptor.isClosed()) return;
                throw e;
            }
            begin(acceptor.settings(), stream);
        }
    }

    private void begin(ListenerSettings listener, ByteStream stream) {
        counters.accepted++;
        if (connections.size() - turnedAway >= settings.maxConnections) {
            counters.refusedConnections++;
            turnAway(listener, stream);
            return;
        }
        var connection = new Connection(this, listener, stream);
        connections.add(connection);
        countOpen();
        try {
            scope.launchFrom("an HTTP connection", (Body) connection::run);
        } catch (Throwable e) {
            connection.close();
            throw e;
        }
    }

    private void turnAway(ListenerSettings listener, ByteStream stream) {
        if (turnedAway == MOST_TURNED_AWAY) {
            stream.close();
            return;
        }
        var connection = new Connection(this, listener, stream);
        connections.add(connection);
        turnedAway++;
        scope.launchFrom("an HTTP connection too many", (Body) () -> {
            try {
                connection.turnAway();
            } finally {
                turnedAway--;
                countOpen();
            }
        });
    }

    void left(Connection connection) {
        if (!connections.remove(connection)) return;
        countOpen();
        checkDrained();
    }

    private void countOpen() {
        counters.open = connections.size() - turnedAway;
    }

    // ---- what is used again

    HeadWriter takeWriter() {
        return writers.take().clear();
    }

    void giveWriter(HeadWriter writer) {
        if (writer.size() <= LARGEST_WRITER_KEPT) writers.give(writer);
    }

    Packer takePacker(Coding coding) {
        Packer packer = spares(coding).take();
        packer.begin();
        return packer;
    }

    void givePacker(Packer packer) {
        if (isClosed() || !spares(packer.coding()).give(packer)) packer.close();
    }

    private Spares<Packer> spares(Coding coding) {
        return packers.computeIfAbsent(
                coding, c -> new Spares<>(PACKERS_KEPT, () -> Codecs.packer(c, settings.compressionLevel)));
    }

    // ---- requests

    void start(ExchangeCore exchange) {
        counters.requests++;
        counters.running++;
        exchange.begin(scope.child());
    }

    /** Waits for a place for one more request; returns false if too many wait. */
    boolean admit() {
        if (permits == null) return true;
        counters.queued++;
        try {
            permits.acquire();
            return true;
        } catch (ServiceUnavailableException e) {
            return false;
        } finally {
            counters.queued--;
        }
    }

    void release() {
        if (permits != null) permits.release();
    }

    void ended(ExchangeCore exchange) {
        counters.running--;
        if (exchange.isLost()) counters.aborted++;
        ResponseCore response = exchange.response();
        if (response.isCommitted()) answered(response.status());
        served(exchange::served);
    }

    /** Tells the access log. */
    void served(Supplier<Served> entry) {
        if (settings.listener != null) settings.listener.accept(entry.get());
    }

    /** Tells once that a handler has spawned what the end of its request has kept from beginning. */
    void reportNotBegun(CoroutineImpl<?> coroutine) {
        if (reportedNotBegun) return;
        reportedNotBegun = true;
        loop.report(
                coroutine.info() + " was cancelled before it began, as the handler that has spawned it has returned;"
                        + " await it, or launch it in a scope that outlives the request. Others like it are not reported.");
    }

    void answered(int status) {
        if (status < 600) counters.byClass[status / 100]++;
    }

    // ---- the end

    boolean isDraining() {
        return draining;
    }

    /** True if it serves no new request any more. */
    boolean isEnding() {
        return draining || scope.isCancelled();
    }

    /** Stops accepting, and lets what is under way come to its end; waits for that. */
    public void drain() {
        drain(null);
    }

    /**
     * As {@link #drain()}.
     *
     * @param token ends the wait
     */
    public void drain(@Nullable Completable<?> token) {
        if (scope.contains(loop.currentScope()))
            throw new IllegalStateException(
                    "a request can't wait for the drain of its own server, which waits for it; drain in a coroutine that"
                            + " the handler has not spawned, or ask for a shutdown of the runtime");
        if (!draining) {
            draining = true;
            stopListening();
            for (Connection connection : connections.toArray(Connection[]::new)) connection.drain();
        }
        if (connections.isEmpty()) return;
        if (drained == null) drained = new FutureState<>().ignore();
        Future<Object> done = drained.future();
        if (token == null) Async.await(done);
        else Async.await(done, token);
    }

    private void checkDrained() {
        FutureState<Object> waiting = drained;
        if (waiting == null || !connections.isEmpty()) return;
        drained = null;
        waiting.complete(this);
    }

    private void stopListening() {
        for (Acceptor acceptor : acceptors) acceptor.close();
    }

    /** Ends everything at once. */
    public void close() {
        draining = true;
        stopListening();
        drainHook.close();
        scope.cancel(new AsyncCancellation("the HTTP server was closed"), false);
    }

    /** As {@link #close}; no connection is open any more when it returns. */
    public void cut() {
        for (Connection connection : connections.toArray(Connection[]::new)) connection.close();
        close();
    }

    public boolean isClosed() {
        return acceptors.stream().allMatch(Acceptor::isClosed);
    }
}

package org.trueasync.internal.http.server;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.h2.Waiters;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.time.HeapTimer;

/** A request, its response, and the coroutine between them. */
public final class ExchangeCore implements Body {
    private final ServerCore server;
    private final Wire wire;
    private final ResponseCore response;
    private final RequestCore request;
    /** For the access log; 0 and null without one. */
    private final long begun;

    private final @Nullable InetSocketAddress peer;

    /**
     * What a response needs at its end that goes on until its handler returns.
     *
     * @param end called in the handler's coroutine when it has returned or failed: with why it has failed, or null;
     *     returns whether nobody needs to hear of the error
     * @param drain called when the server begins to drain; does not wait
     */
    // Functional types, as JDK's compilers trust that an interface with one class loaded has no other, and a handler
    // that is suspended meanwhile is not told (docs/decisions/0236-an-exception-into-a-stale-frame.md).
    record Tail(Predicate<@Nullable Throwable> end, Runnable drain) {}

    private @Nullable Tail tail;
    private boolean duplex;
    private @Nullable CoroutineScope scope;
    private boolean admitted;
    private boolean entered;
    private @Nullable Throwable thrown;
    private boolean timedOut;
    /** A coroutine of the request writes what was not waited for. */
    private boolean writesAside;

    /** Its end, and what comes before it: that the peer may be watched. */
    private final Waiters changes = new Waiters();

    ExchangeCore(ServerCore server, Wire wire) {
        this.server = server;
        this.wire = wire;
        this.response = new ResponseCore(server, wire);
        this.request = new RequestCore(wire, response);
        boolean isLogged = server.settings.listener != null;
        this.begun = isLogged ? server.loop.reactor().nanoTime() : 0;
        this.peer = isLogged ? request.peer() : null;
    }

    public RequestCore request() {
        return request;
    }

    /** What the server does with its requests. */
    public ExchangeHandler handler() {
        return server.handler;
    }

    public ResponseCore response() {
        return response;
    }

    /** Nanoseconds of the loop's clock now. */
    public long now() {
        return server.loop.reactor().nanoTime();
    }

    /** True if the request asks for a WebSocket by CONNECT, over HTTP/2. */
    boolean asksForTunnel() {
        return !wire.ownsInput() && wire.asksForTunnel();
    }

    /** True if the handler reads no more from the connection, so that its reader may wait for the peer's end. */
    boolean isWatchable() {
        if (!wire.ownsInput()) return true;
        return tail != null
                && !response.isTaken()
                && wire.isBodyComplete()
                && !wire.content().hasRemaining();
    }

    /** Arranges the end of a response that goes on until its handler returns. */
    void tail(Tail last) {
        tail = last;
        changes.wake();
        if (server.isDraining()) last.drain.run();
    }

    /** Called when the server begins to drain. */
    void drain() {
        if (tail != null) tail.drain.run();
    }

    /** Called when its connection ends: a WebSocket is closed, a stream of events ends, all else is cancelled. */
    void endOf(String why) {
        if (isOver()) return;
        if (tail != null) tail.drain.run();
        else if (entered && scope != null) scope.cancel(new AsyncCancellation(why), false);
        else answerUnlessBegun(); // a coroutine that was cancelled before it begins would never end the request
    }

    /** The server's scope, for what outlives the handler. */
    CoroutineScope serverScope() {
        return server.scope;
    }

    /** Refuses the request with a response of its own; returns what to throw. */
    RuntimeException refused(int code, String text) {
        response.text(code, text);
        return request.failure(code, text);
    }

    /**
     * Begins a response of events, which ends with its handler: that is cancelled when the client leaves, and when the
     * server drains.
     */
    public void events() {
        response.requireOpen();
        if (request.method().equals("HEAD")) throw refused(405, "events are for GET");
        response.contentType("text/event-stream");
        Fields fields = response.fields();
        if (!fields.has(HttpHeader.CACHE_CONTROL)) fields.add(HttpHeader.CACHE_CONTROL, "no-store");
        response.flush();
        tail(new Tail(this::endEvents, this::cancelEvents));
    }

    /** Lifts the limits of its bodies; whoever handles it is cancelled when the client leaves. */
    public void duplex() {
        wire.duplex();
        request.maxBodyBytes(0);
        duplex = true;
    }

    /**
     * Writes a part of a response of events, without waiting: a coroutine of the request does it.
     *
     * @return false if a part is under way, so that this one would have to wait
     */
    public boolean tryWrite(ByteBuffer part) {
        if (!isWritable()) return false;
        writesAside = true;
        Async.launch(() -> {
            try {
                response.write(part);
            } catch (InputOutputException e) {
                abandoned("the client has left");
            } finally {
                writesAside = false;
                changes.wake();
            }
        });
        return true;
    }

    /** True if {@link #tryWrite} would write. */
    public boolean isWritable() {
        return !writesAside && !response.isLocked();
    }

    private boolean endEvents(@Nullable Throwable error) {
        while (error == null && writesAside) changes.await();
        // who was cancelled ends in order, so that the client comes again
        if (error instanceof AsyncCancellation && !response.isLost()) {
            try {
                Async.protect(response::end);
            } catch (InputOutputException e) {
                // it has gone
            }
        }
        return false;
    }

    private void cancelEvents() {
        CoroutineScope own = scope;
        if (own != null) own.cancel(new AsyncCancellation("the HTTP server ends its streams of events"), false);
    }

    // ---- its coroutine

    /** Where it runs. */
    void begin(CoroutineScope own) {
        scope = own;
        own.extras().request = true;
        own.launchFrom("an HTTP request", this);
        own.abandon();
    }

    @Override
    public void run() throws Exception {
        if (isOver()) return;
        entered = true;
        Throwable error = null;
        try {
            if (isLost()) return; // its client has gone before it began
            if (!server.admit()) {
                server.counters.refusedRequests++;
                response.text(503, "too many requests are under way");
            } else {
                admitted = true;
                handle();
            }
        } catch (Throwable e) {
            error = endTail(e) || answers(e) ? null : e;
        } finally {
            error = finish(error);
        }
        if (error != null) sneak(error);
    }

    private void handle() throws Exception {
        long limit = server.settings.requestNanos;
        if (limit == 0) server.handler.handle(this);
        else within(limit);
        endTail(null);
        response.finish();
    }

    /** True if nobody needs to hear of the error. */
    private boolean endTail(@Nullable Throwable error) {
        return tail != null && tail.end.test(error);
    }

    private void within(long limit) throws Exception {
        Duration time = Duration.ofNanos(limit);
        leave(time);
        try {
            Async.withTimeout(time, () -> {
                try {
                    server.handler.handle(this);
                } catch (Throwable e) {
                    thrown = e;
                    throw e;
                }
            });
        } catch (AsyncTimeoutException e) {
            timedOut = e != thrown; // a handler has time limits of its own
            throw e;
        }
    }

    /** Lets what the handler spawns know the time that is left: it is cancelled with the handler. */
    private void leave(Duration time) {
        HeapTimer timer = server.loop.timers().oneShot(time);
        timer.setHidden(true);
        server.loop.currentScope().extras().setDeadline(timer);
        timer.start();
    }

    /** Answers in place of a coroutine that was cancelled before it began. */
    void answerUnlessBegun() {
        if (entered) return;
        entered = true;
        answers(new AsyncCancellation("the server ends"));
        conclude();
    }

    /** Answers an error of the handler; returns true if nobody needs to hear of it. */
    private boolean answers(Throwable error) {
        if (response.isLost() && isOfClient(error)) return true;
        int code = server.handler.statusOf(error);
        String text = code == 0 ? null : error.getMessage();
        boolean known = code != 0;
        if (timedOut) {
            server.counters.requestTimeouts++;
            code = 503;
            text = "the request took too long";
            known = true;
        } else if (error instanceof AsyncCancellation) {
            server.counters.cancelled++;
            code = 503;
            text = server.isEnding() ? "the server is shutting down" : "the request was cancelled";
            wire.closeAfterwards();
        } else if (response.isTaken() && isOfClient(error) && wire.isPeerGone()) {
            response.lose();
            return true;
        } else if (!known) {
            server.counters.failures++;
            code = 500;
            text = "the server failed to handle this request";
        }
        if (!response.isCommitted() && !response.isLost() && !wire.isClosed()) {
            int finalCode = code;
            String finalText = text == null ? "" : text;
            try {
                ExchangeHandler.ErrorAnswer answer = server.handler.answerTo(error, finalCode, finalText);
                Async.protect(() -> answer(finalCode, finalText, answer));
            } catch (Throwable e) {
                response.lose();
            }
        } else if (response.isTaken() || !response.isEnded()) response.lose();
        return known;
    }

    private void answer(int code, String text, ExchangeHandler.@Nullable ErrorAnswer answer) {
        try {
            response.error(code, text, answer);
        } catch (InputOutputException e) {
            // nobody reads it; beyond a protected section a cancellation would carry the error, as if it was news
        }
    }

    /** True for an error that only says that the connection has ended. */
    private static boolean isOfClient(Throwable error) {
        Throwable cause = error;
        for (int i = 0; cause != null && i < 10; i++, cause = cause.getCause())
            if (cause instanceof InputOutputException || cause instanceof AsyncCancellation) return true;
        return false;
    }

    /** Ends what it has spawned, then the request. Returns what is to be told, after all. */
    private @Nullable Throwable finish(@Nullable Throwable error) {
        CoroutineScope own = scope;
        try {
            if (own != null && own.isShared()) {
                own.extras().addFinally(closed -> conclude());
                // when this coroutine has ended: for its own error that cancellation is no cause
                boolean hasReturned = error == null && !own.isCancelled();
                server.loop.inService(() -> endScope(server, own, hasReturned));
            } else conclude();
        } catch (Throwable e) {
            if (error == null) return e;
            error.addSuppressed(e);
        }
        return error;
    }

    private static void endScope(ServerCore server, CoroutineScope own, boolean hasReturned) {
        if (hasReturned)
            for (CoroutineImpl<?> coroutine : own.coroutines())
                if (!coroutine.isStarted()) server.reportNotBegun(coroutine);
        own.cancel(new AsyncCancellation("the request is over"), false);
    }

    private void conclude() {
        if (isOver()) return;
        response.over();
        if (admitted) server.release();
        try {
            server.ended(this);
        } finally {
            wire.over(response.isLost(), response.isTaken());
            changes.wake();
        }
    }

    /** True once response, handler and everything that it has spawned are done. */
    boolean isOver() {
        return response.isOver();
    }

    /** True if another request may follow on the connection. */
    boolean isReusable() {
        return wire.isKept() && !response.isLost() && !response.isTaken();
    }

    /** True if there is no more to be said to the client: it has gone, or the response was cut. */
    boolean isLost() {
        return response.isLost();
    }

    /** For the access log. */
    Served served() {
        long nanos = server.loop.reactor().nanoTime() - begun;
        return Served.of(peer, request, response, nanos);
    }

    /** Waits for its end. */
    void awaitEnd() {
        while (!isOver()) changes.await();
    }

    /** Waits for its end; returns false if the time is over first. */
    boolean awaitEnd(Duration limit) {
        long end = now() + limit.toNanos();
        try {
            while (!isOver()) changes.await(Math.max(1, end - now()));
            return true;
        } catch (OperationCanceledException e) {
            return isOver();
        }
    }

    /** Waits for its end, or until the peer may be watched; returns whether it is the latter. */
    boolean awaitWatchable() {
        while (!isOver() && !isWatchable()) changes.await();
        return !isOver();
    }

    /** True if its handler is cancelled when the client leaves: it only reads, or sends events. */
    boolean endsWithPeer() {
        if (duplex) return true;
        String method = request.method();
        return server.settings.cancelsAbandoned
                && isWatchable()
                && (tail != null || method.equals("GET") || method.equals("HEAD"));
    }

    /** Called when the peer has gone: nobody will read a response. */
    public void abandoned(String why) {
        if (isOver() || response.isTaken()) return; // who has taken the stream is told by it
        response.lose();
        if (!endsWithPeer() || (scope != null && scope.isCancelled())) return;
        server.counters.cancelled++;
        // a coroutine that was cancelled before it begins would never end the request; it sees by itself that it is
        // lost
        if (entered && scope != null) scope.cancel(new AsyncCancellation(why), false);
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void sneak(Throwable error) throws X {
        throw (X) error;
    }
}

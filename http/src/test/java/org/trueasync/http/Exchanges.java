package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.trueasync.Channel;
import org.trueasync.FutureState;
import org.trueasync.internal.testkit.WaitCase;

/** Exchanges whose handlers wait, and their clients. Each call has one of its own. */
abstract class Exchanges {
    /** How many there are. */
    static final int COUNT = 2;

    /** No reset. */
    static final Set<Integer> IN_ORDER = Set.of(-1);

    static final Set<Integer> CUT = Set.of(2);
    static final Set<Integer> ANYHOW = Set.of(-1, 2);

    final List<Exchange> all = new ArrayList<>();
    /** The numbers of those whose calls have returned. */
    final List<Integer> done = new ArrayList<>();

    final HttpServer server;
    private final Channel<Exchange> made = new Channel<>(1);
    private final FutureState<Integer> over = new FutureState<>();
    int used;

    /** Makes the exchanges of a case. */
    interface Maker {
        /** @param request as HTTP/1 has it */
        Exchanges make(WaitCase wait, String request) throws Exception;
    }

    /** What a call does. */
    interface Use {
        void of(Exchange exchange) throws Throwable;
    }

    Exchanges(WaitCase wait) {
        // the first look for a library takes real time
        assertThat(JsonCodec.installed()).isNotNull();
        server = HttpServer.builder().host("127.0.0.1").cancelAbandoned(false).listen(this::handle);
        wait.needsServer().closes(() -> {
            letGo();
            hangUp();
            server.close();
        });
    }

    void handle(Exchange exchange) throws Exception {
        made.send(exchange);
        await(over.future());
    }

    /** The next one whose head has come. */
    Exchange received() {
        return made.receive();
    }

    /** Lets the handlers return. */
    void letGo() {
        if (!over.isCompleted()) over.complete(1);
    }

    /** Begins a call. */
    Exchange next() {
        return all.get(used++);
    }

    /** Has a call done on the next exchange. */
    void call(Use use) throws Throwable {
        int number = used;
        use.of(next());
        done.add(number);
    }

    /** Called when what comes before the waits is done. */
    void ready() throws Exception {}

    /**
     * Asserts that the connection is good after the calls.
     *
     * @param ends how a response may end whose call was given up: with which codes of a reset
     */
    void assertWhole(Set<Integer> ends) throws Exception {}

    /** The client of the last one that was used sends more of its request. */
    abstract void send(ByteBuffer bytes) throws Exception;

    final void send(String text) throws Exception {
        send(StandardCharsets.UTF_8.encode(text));
    }

    /** The client of the last one that was used takes what there is. */
    abstract void drain() throws Exception;

    /** All clients go. */
    abstract void hangUp() throws Exception;

    /** Time passes until something is so. */
    static void until(BooleanSupplier isSo, Object what) {
        for (int i = 0; i < 1_000 && !isSo.getAsBoolean(); i++) delay(1);
        assertThat(isSo.getAsBoolean()).as(what.toString()).isTrue();
    }
}

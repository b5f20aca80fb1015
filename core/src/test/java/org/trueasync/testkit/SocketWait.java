package org.trueasync.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.Body;

/** A call of the JDK's that waits for a socket or a selector, ready to be begun once, and what may end it. */
final class SocketWait implements AutoCloseable {
    /** Makes one. */
    interface Maker {
        SocketWait make() throws Exception;
    }

    private final List<AutoCloseable> held = new ArrayList<>();
    private final Map<String, Body> ends = new LinkedHashMap<>();
    private boolean endsByItself;
    private AutoCloseable closed = () -> {};
    private Callable<?> call = () -> "nothing";
    private final AtomicInteger returned = new AtomicInteger();

    /** Closed when the test is over. */
    <C extends AutoCloseable> C hold(C thing) {
        held.addFirst(thing);
        return thing;
    }

    /** What the waiter calls. */
    SocketWait as(Callable<?> waits) {
        call = waits;
        return this;
    }

    /** What is closed under the waiter. */
    SocketWait closing(AutoCloseable waitedFor) {
        closed = waitedFor;
        return this;
    }

    /** What ends it, done by somebody else. */
    SocketWait end(String name, Body action) {
        ends.put(name, action);
        return this;
    }

    /** Nobody has to do anything. */
    SocketWait byItself() {
        endsByItself = true;
        return this;
    }

    /** Of several calls, made one after the other, one more has returned. */
    void callReturned() {
        returned.incrementAndGet();
    }

    int returnedCalls() {
        return returned.get();
    }

    boolean endsByItself() {
        return endsByItself;
    }

    Set<String> ends() {
        return ends.keySet();
    }

    Object begin() throws Exception {
        return call.call();
    }

    void end(String name) {
        run(ends.get(name));
    }

    void closeUnderTheWaiter() {
        run(closed::close);
    }

    static void run(Body action) {
        try {
            action.run();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable thing : held) thing.close();
    }
}

package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection whose driver blocks its thread. One is made at a time, in the order in which they come. A
 * helper thread makes those of coroutines and other virtual threads, which wait for it; platform threads make theirs
 * themselves.
 *
 * <p>A caller that is interrupted while it waits abandons the call. The call cannot be stopped, so the connection is
 * lost: the call goes on, and the connection is closed after it.
 */
final class HelperCalls {
    private final ReentrantLock turn = new ReentrantLock(true);
    private volatile boolean abandoned;

    /** The proxy that users have in place of the driver's connection. */
    private @Nullable Connection connection;

    /** Connects, and returns a proxy: its calls, and those of all that is made from it, come here. */
    static Connection open(Connector connector) throws SQLException {
        var calls = new HelperCalls();
        Connection driver = calls.connect(connector);
        var connection = (Connection) HelperProxy.of(calls, driver, Connection.class);
        calls.connection = connection;
        return connection;
    }

    private Connection connect(Connector connector) throws SQLException {
        if (!Thread.currentThread().isVirtual()) return connector.connect();
        var done = HelperThreads.call(connector::connect);
        try {
            return await(done);
        } catch (SQLException e) {
            if (abandoned) closeLater(done);
            throw e;
        }
    }

    /** Has a helper thread close what no caller has had; not the present one, even if it has just been connected. */
    static void closeLater(CompletableFuture<Connection> late) {
        // how the close ends is nobody's concern
        var _ = late.thenCompose(connection -> HelperThreads.call(() -> {
            connection.close();
            return true;
        }));
    }

    @Nullable
    Connection connection() {
        return connection;
    }

    /** Makes a call that may block, after the calls before it. */
    <T extends @Nullable Object> T call(Callable<T> call) throws Exception {
        requireUsable();
        return callInTurn(call);
    }

    private <T extends @Nullable Object> T callInTurn(Callable<T> call) throws Exception {
        Callable<T> inTurn = () -> {
            turn.lock();
            try {
                return call.call();
            } finally {
                turn.unlock();
            }
        };
        return Thread.currentThread().isVirtual() ? await(HelperThreads.call(inTurn)) : inTurn.call();
    }

    /** Makes a call that ends another one, without waiting for that one. */
    <T extends @Nullable Object> T callAtOnce(Callable<T> call) throws Exception {
        return Thread.currentThread().isVirtual() ? await(HelperThreads.call(call)) : call.call();
    }

    /** Closes the connection, after the calls before it. Does not wait if a call was abandoned. */
    void close(Callable<?> close) throws Exception {
        if (abandoned) {
            var _ = HelperThreads.call(() -> {
                turn.lock();
                try {
                    return close.call();
                } finally {
                    turn.unlock();
                }
            });
        } else {
            callInTurn(close);
        }
    }

    /** Throws if a call was abandoned, which may still use the driver's state of this connection. */
    void requireUsable() throws SQLException {
        if (abandoned)
            throw new SQLNonTransientConnectionException(
                    "the connection is lost: a call of its driver was interrupted, and may still be under way",
                    "08003");
    }

    @SuppressWarnings("NullAway") // null only where T allows it
    private <T extends @Nullable Object> T await(CompletableFuture<T> done) throws SQLException {
        try {
            return done.get();
        } catch (InterruptedException e) {
            abandoned = true;
            Thread.currentThread().interrupt();
            throw new SQLNonTransientConnectionException(
                    "interrupted in a call of the driver's, which goes on by itself; the connection is lost",
                    "08006",
                    e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw Failures.sneaky(HelperThreads.asOfCaller(cause == null ? e : cause));
        }
    }
}

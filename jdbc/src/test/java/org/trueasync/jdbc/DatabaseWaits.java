package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitTable;

/**
 * Waits for a connection and for the driver that makes one, whose server answers at a gate. Whatever ends them, the
 * pool is whole: each connection is free again, or closed.
 */
final class DatabaseWaits extends WaitTable {
    DatabaseWaits() {
        connections();
    }

    /** A pool, and a driver that waits in some call until the gate is open. */
    private static final class Database {
        /** What the driver's calls wait for now. */
        private final Set<CompletableFuture<Integer>> answers = new LinkedHashSet<>();

        private boolean open;
        final FakeDatabase fake = new FakeDatabase();
        final PooledDataSource source;

        Database(WaitCase wait, int min, int max, String waitsIn) throws SQLException {
            source = PooledDataSource.around(fake.source())
                    .min(min)
                    .max(max)
                    .connectionTimeout(Duration.ZERO)
                    .build();
            fake.disturbance = (session, call) -> {
                if (call.equals(waitsIn) && !open) ask();
                if (call.equals("cancel"))
                    for (var answer : List.copyOf(answers))
                        answer.completeExceptionally(new SQLException("cancelled", "57014"));
            };
            if (!waitsIn.equals("none")) wait.ifInterruptedThrows(SQLException.class);
            wait.serve(this::open)
                    .leaves(() -> {
                        assertThat(source.pool().activeCount()).isZero();
                        assertThat(fake.open()).isEqualTo(source.pool().count());
                    })
                    .closes(() -> {
                        open();
                        source.close();
                    });
        }

        void open() {
            open = true;
            for (var answer : List.copyOf(answers)) answer.complete(1);
        }

        /** Waits as drivers do: an interrupt ends it, and the session with it. */
        private void ask() throws SQLException {
            var answer = new CompletableFuture<Integer>();
            answers.add(answer);
            try {
                answer.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("closed by interrupt", "08006", e);
            } catch (ExecutionException e) {
                throw (SQLException) e.getCause();
            } finally {
                answers.remove(answer);
            }
        }
    }

    private void connections() {
        for (String method :
                List.of("PooledDataSource.getConnection()", "PooledDataSource.getConnection(String, String)"))
            row(method, wait -> {
                var database = new Database(wait, 0, 1, "none");
                Connection taken = database.source.getConnection();
                wait.call(() -> database.source.getConnection().close()).serve(taken::close);
            });
        row("PooledDataSource.getConnection(), which connects", wait -> {
            var database = new Database(wait, 0, 1, "connect");
            wait.call(() -> database.source.getConnection().close());
        });
    }
}

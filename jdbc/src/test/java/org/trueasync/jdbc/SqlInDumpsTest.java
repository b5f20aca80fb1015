package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.Coroutine;

/** A coroutine that waits in the driver tells what it executes. */
@Tag("P31")
@Timeout(60)
class SqlInDumpsTest {
    private interface Use {
        void with(Connection connection) throws SQLException;
    }

    private static String awaitedIn(String blocking, Use use) {
        var fake = new FakeDatabase();
        var answered = new CountDownLatch(1);
        fake.disturbance = (session, call) -> {
            try {
                if (call.equals(blocking)) answered.await();
            } catch (InterruptedException e) {
                throw new SQLException(e);
            }
        };
        return Async.run(() -> {
            try (var db = PooledDataSource.around(fake.source()).max(1).build()) {
                Coroutine<?> user = spawn(() -> {
                    try (Connection connection = db.getConnection()) {
                        use.with(connection);
                    }
                });
                while (user.awaitingInfo().stream().noneMatch(text -> text.contains("CountDownLatch"))) suspend();
                String text = user.awaitingInfo().getFirst();
                answered.countDown();
                await(user);
                return text;
            }
        });
    }

    @Test
    void statement_itsText() {
        assertThat(awaitedIn(
                        "executeUpdate",
                        connection -> connection.createStatement().executeUpdate("update item\n set price = 1")))
                .endsWith(", in update item? set price = 1");
    }

    @Test
    void preparedStatement_theTextThatItWasPreparedFrom_withoutParameters() {
        assertThat(awaitedIn("executeUpdate", connection -> {
                    var update = connection.prepareStatement("update item set name = ?");
                    connection.prepareStatement("select 1");
                    update.setString(1, "secret");
                    update.executeUpdate();
                }))
                .endsWith(", in update item set name = ?")
                .doesNotContain("secret");
    }

    @Test
    void callAfterAStatement_hasNoText() {
        assertThat(awaitedIn("commit", connection -> {
                    connection.setAutoCommit(false);
                    connection.createStatement().executeUpdate("update item set price = 1");
                    connection.commit();
                }))
                .doesNotContain(", in ");
    }
}

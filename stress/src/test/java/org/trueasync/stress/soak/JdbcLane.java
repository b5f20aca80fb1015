package org.trueasync.stress.soak;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.trueasync.Async;
import org.trueasync.jdbc.PooledDataSource;

/** Transactions of fifty rows; one in a hundred is rolled back, or cancelled. All others are there. */
final class JdbcLane implements Lane {
    private static final int ROWS = 50;
    private static final int KEPT = 20_000;

    @Override
    public void run(Soak soak, Tally tally) throws SQLException {
        try (PooledDataSource source = PooledDataSource.forUrl("jdbc:h2:mem:soak;DB_CLOSE_DELAY=-1")
                .max(4)
                .build()) {
            try (Connection connection = source.getConnection()) {
                connection.createStatement().execute("create table soak(id bigint primary key)");
            }
            long expected = 0;
            for (long first = 0; !soak.isOver(); first += ROWS) {
                long begin = first;
                Async.delay(5); // a database within the process holds the loop
                if (soak.isFault()) {
                    tally.faults++;
                    if (soak.random.nextBoolean()) insert(source, begin, false);
                    else if (soak.cut(() -> insert(source, begin, true))) expected += ROWS;
                    else expected += count(source, begin); // all of them, or none
                } else {
                    insert(source, begin, true);
                    expected += ROWS;
                }
                if (expected < KEPT) continue;
                tally.messages += checked(source, expected);
                expected = 0;
            }
            tally.messages += checked(source, expected);
        }
    }

    private static void insert(PooledDataSource source, long first, boolean commits) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("insert into soak values (?)")) {
                for (int i = 0; i < ROWS; i++) {
                    insert.setLong(1, first + i);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            if (commits) connection.commit();
            else connection.rollback();
        }
    }

    private static int count(PooledDataSource source, long first) throws SQLException {
        try (Connection connection = source.getConnection();
                ResultSet rows =
                        connection.createStatement().executeQuery("select count(*) from soak where id >= " + first)) {
            rows.next();
            int count = rows.getInt(1);
            if (count != 0 && count != ROWS) throw new AssertionError(count + " rows of a transaction");
            return count;
        }
    }

    private static long checked(PooledDataSource source, long expected) throws SQLException {
        try (Connection connection = source.getConnection()) {
            int deleted = connection.createStatement().executeUpdate("delete from soak");
            if (deleted != expected) throw new AssertionError(deleted + " rows in place of " + expected);
            return expected;
        }
    }
}

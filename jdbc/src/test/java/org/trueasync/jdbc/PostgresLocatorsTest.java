package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;

/** Large objects of PostgreSQL's. */
class PostgresLocatorsTest {
    private static final String ROLE = "locators";
    private static PostgresServer server;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
        server.role(ROLE, -1);
    }

    @Test
    @Tag("P32")
    void transactionCommitted_itsLargeObjectsAreGoneAndTheNextOneIsSound() {
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl(server.url()).user(ROLE).build();
                    var c = db.getConnection()) {
                Sql.execute(c, "create table pictures(id int, content oid)");
                c.setAutoCommit(false);
                try (var s = c.prepareStatement("insert into pictures values (1, ?)")) {
                    s.setBlob(1, new ByteArrayInputStream("some bytes".getBytes(StandardCharsets.UTF_8)));
                    s.executeUpdate();
                }
                c.commit();
                for (boolean committed : new boolean[] {true, false}) {
                    try (var s = c.createStatement();
                            var row = s.executeQuery("select content from pictures")) {
                        row.next();
                        Blob blob = row.getBlob(1);
                        assertThat(blob.getBytes(1, 100))
                                .asString(StandardCharsets.UTF_8)
                                .isEqualTo("some bytes");
                        if (committed) c.commit();
                        else c.rollback();
                        assertThatThrownBy(blob::length).isInstanceOf(SQLException.class);
                    }
                    assertThat(Sql.number(c, "select count(*) from pictures")).isEqualTo(1);
                }
            }
        });
    }
}

package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;

/** What users set on connections does not stay there. */
@Timeout(100)
class SessionSettingsTest {
    private final OddDriver fake = new OddDriver();

    private PooledDataSource.Builder around() {
        return PooledDataSource.around(fake).max(3).validationTimeout(Duration.ofMillis(50));
    }

    private static SQLException lost() {
        return new SQLException("connection lost", "08006");
    }

    @Test
    @Tag("P33")
    @Tag("F62")
    void sessionsWithoutAutoCommit_settingsArePutBackForGood() {
        Async.run(() -> {
            try (var db = around().autoCommit(false).schema("home").build()) {
                fake.on("Connection.setSchema", (self, arguments) -> {
                    // as with PostgreSQL: part of the transaction
                    self.state.put("Schema", arguments[0]);
                    if (!(Boolean) self.state.get("AutoCommit")) self.state.put("open", true);
                    return null;
                });
                fake.on("Connection.rollback", (self, arguments) -> {
                    self.state.remove("open");
                    return null;
                });
                fake.on("Connection.setAutoCommit", (self, arguments) -> {
                    self.state.put("AutoCommit", arguments[0]);
                    self.state.remove("open");
                    return null;
                });
                try (var c = db.getConnection()) {
                    c.setSchema("elsewhere");
                    c.commit();
                }
                assertThat(fake.connections.getFirst().state)
                        .containsEntry("Schema", "home")
                        .doesNotContainKey("open")
                        .containsEntry("AutoCommit", false);
            }
        });
    }

    @Test
    @Tag("P33")
    @Tag("F62")
    void mapsOfTheDriversOwn_changedInPlace_putBack() {
        Async.run(() -> {
            var types = new HashMap<String, Class<?>>();
            var info = new Properties();
            fake.on("Connection.getTypeMap", (self, arguments) -> types);
            fake.on("Connection.getClientInfo", (self, arguments) -> info);
            fake.on("Connection.setTypeMap", (self, arguments) -> {
                var copy = new HashMap<Object, Object>((Map<?, ?>) arguments[0]);
                types.clear();
                copy.forEach((name, type) -> types.put((String) name, (Class<?>) type));
                return null;
            });
            fake.on("Connection.setClientInfo", (self, arguments) -> {
                if (arguments.length == 2) info.setProperty((String) arguments[0], (String) arguments[1]);
                else info.setProperty("ApplicationName", ((Properties) arguments[0]).getProperty("ApplicationName"));
                return null;
            });
            info.setProperty("ApplicationName", "mine");
            try (var db = around().build()) {
                try (var c = db.getConnection()) {
                    var map = c.getTypeMap();
                    map.put("point", Object.class);
                    c.setTypeMap(map);
                    c.setClientInfo("ApplicationName", "theirs");
                }
                assertThat(types).isEmpty();
                assertThat(info).containsEntry("ApplicationName", "mine");
            }
        });
    }

    @Test
    @Tag("P33")
    void nameOfTheSharedConnectionSet_theOthersStay() {
        Async.run(() -> {
            var info = new Properties();
            info.setProperty("ApplicationName", "mine");
            fake.on("Connection.getClientInfo", (self, arguments) -> info);
            fake.on("Connection.setClientInfo", (self, arguments) -> {
                var given = new Properties();
                given.putAll((Properties) arguments[0]);
                info.clear();
                info.putAll(given);
                return null;
            });
            try (var db = around().max(1).build()) {
                db.shared().setClientInfo("ClientUser", "me");
                db.shared().setClientInfo("ClientHostname", "here");
                assertThat(fake.count("connect")).isZero();
                assertThat(db.shared().getClientInfo())
                        .containsOnly(
                                Map.entry("ApplicationName", "mine"),
                                Map.entry("ClientUser", "me"),
                                Map.entry("ClientHostname", "here"));
                db.shared().setClientInfo("ClientUser", null);
                assertThat(db.shared().getClientInfo())
                        .containsOnly(Map.entry("ApplicationName", "mine"), Map.entry("ClientHostname", "here"));
                assertThat(info).containsOnly(Map.entry("ApplicationName", "mine"));
            }
        });
    }

    @Test
    @Tag("P33")
    void settingRefused_theConnectionIsNotLostByThat() {
        Async.run(() -> {
            try (var db = around().build()) {
                fake.fails("Connection.setTypeMap", new SQLFeatureNotSupportedException());
                fake.fails("Connection.setHoldability", new SQLFeatureNotSupportedException());
                try (var c = db.getConnection()) {
                    assertThatThrownBy(() -> c.setTypeMap(new HashMap<>())).isInstanceOf(SQLException.class);
                    assertThatThrownBy(() -> c.setHoldability(2)).isInstanceOf(SQLException.class);
                }
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P33")
    @Tag("F62")
    void settingChangedBySqlBefore_itsOriginIsNotTakenForThat() {
        Async.run(() -> {
            try (var db = around().max(1).resetSql("reset").build()) {
                fake.connections.clear();
                fake.on("Statement.execute", (self, arguments) -> {
                    OddDriver.Fake session = fake.connections.getFirst();
                    if (arguments[0].equals("reset")) session.state.put("Schema", "home");
                    else
                        session.state.put(
                                "Schema",
                                arguments[0]
                                        .toString()
                                        .substring(arguments[0].toString().lastIndexOf(' ') + 1));
                    return false;
                });
                for (String sql : List.of("reset", "set schema elsewhere", "set local schema elsewhere")) {
                    try (var c = db.getConnection()) {
                        c.setAutoCommit(false);
                        Sql.execute(c, sql);
                        c.setSchema("third");
                        c.commit();
                    }
                    assertThat(fake.connections.getFirst().state).as(sql).containsEntry("Schema", "home");
                    try (var c = db.getConnection()) {
                        c.setSchema("fourth");
                    }
                    assertThat(fake.connections.getFirst().state).as(sql).containsEntry("Schema", "home");
                }
                assertThat(db.pool().stats().created()).isEqualTo(1);
            }
        });
    }

    @Test
    @Tag("P33")
    void settingsOfTheSharedConnection_outsideOfTheTransaction() {
        Async.run(() -> {
            try (var db = around().build()) {
                Connection shared = db.shared();
                shared.setAutoCommit(false);
                shared.setSchema("mine");
                shared.createStatement().close();
                assertThat(fake.calls).containsSubsequence("Connection.setSchema", "Connection.setAutoCommit");
                assertThat(db.inTransaction()).isFalse();
            }
        });
    }
}

package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings of one session that its users have changed through JDBC, with what they were before. */
final class SessionChanges {
    /** Asked for once in the life of the connection: it may cost a round trip. */
    private final Map<SessionSetting, Object> original = new EnumMap<>(SessionSetting.class);

    private final Set<SessionSetting> changed = EnumSet.noneOf(SessionSetting.class);

    boolean isEmpty() {
        return changed.isEmpty();
    }

    /** Changes one. */
    void set(SessionSetting setting, Connection connection, @Nullable Object value) throws SQLException {
        if (!original.containsKey(setting)) original.put(setting, setting.get(connection));
        changed.add(setting);
        setting.set(connection, value);
    }

    /** Puts everything back. Not in a transaction. */
    void restore(Connection connection) throws SQLException {
        for (SessionSetting setting : changed) setting.set(connection, original.get(setting));
        changed.clear();
    }
}

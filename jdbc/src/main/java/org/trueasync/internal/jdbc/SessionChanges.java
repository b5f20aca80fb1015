package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings of one session that its users have changed through JDBC, with what they were before. */
final class SessionChanges {
    /**
     * The values before the first change. Each is read once in the life of the connection, as that may cost a round
     * trip.
     */
    private final Map<SessionSetting, Object> original = new EnumMap<>(SessionSetting.class);

    private final Set<SessionSetting> changed = EnumSet.noneOf(SessionSetting.class);

    /** True if a setting was changed whose original value is not known. */
    private boolean unknown;

    /**
     * Begins without changes.
     *
     * @param autoCommit how sessions begin
     */
    SessionChanges(boolean autoCommit) {
        original.put(SessionSetting.AUTO_COMMIT, autoCommit);
    }

    boolean isEmpty() {
        return changed.isEmpty();
    }

    /** True if restoring the known values is not enough. */
    boolean areUnknown() {
        return unknown;
    }

    /**
     * Changes a setting.
     *
     * @param asItBegan true if the current value is the original one, false if SQL may have changed it; has no effect
     *     if the original value is known already
     */
    void set(SessionSetting setting, Connection connection, @Nullable Object value, boolean asItBegan)
            throws SQLException {
        if (!original.containsKey(setting)) {
            if (asItBegan || setting.isOfDriver()) original.put(setting, setting.get(connection));
            else unknown = true;
        }
        boolean first = changed.add(setting);
        try {
            setting.set(connection, value);
        } catch (SQLException refused) {
            if (first && isAsItBegan(setting, connection)) changed.remove(setting);
            throw refused;
        }
    }

    private boolean isAsItBegan(SessionSetting setting, Connection connection) {
        try {
            return original.containsKey(setting) && Objects.equals(setting.get(connection), original.get(setting));
        } catch (SQLException | RuntimeException unreadable) {
            return false;
        }
    }

    /**
     * Restores the known values, with auto-commit on: in an open transaction, some databases would undo that with the
     * next rollback.
     */
    void restore(Connection connection) throws SQLException {
        if (changed.isEmpty()) return;
        if (!connection.getAutoCommit()) connection.setAutoCommit(true);
        for (SessionSetting setting : changed) {
            if (setting != SessionSetting.AUTO_COMMIT && original.containsKey(setting))
                setting.set(connection, original.get(setting));
        }
        if (Boolean.FALSE.equals(original.get(SessionSetting.AUTO_COMMIT))) connection.setAutoCommit(false);
        changed.clear();
    }

    /** Forgets the changes, as the session was reset. */
    void forget() {
        changed.clear();
        unknown = false;
    }
}

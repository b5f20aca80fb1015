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
    /** Asked for once in the life of the connection: it may cost a round trip. */
    private final Map<SessionSetting, Object> original = new EnumMap<>(SessionSetting.class);

    private final Set<SessionSetting> changed = EnumSet.noneOf(SessionSetting.class);

    /** Something was changed of which nobody knows what it was. */
    private boolean unknown;

    /**
     * None so far.
     *
     * @param autoCommit how sessions begin
     */
    SessionChanges(boolean autoCommit) {
        original.put(SessionSetting.AUTO_COMMIT, autoCommit);
    }

    boolean isEmpty() {
        return changed.isEmpty();
    }

    /** True if putting back what is known does not do. */
    boolean areUnknown() {
        return unknown;
    }

    /**
     * Changes one.
     *
     * @param asItBegan whether the session has its own value now, if nobody has asked before; false where SQL may have changed it
     */
    void set(SessionSetting setting, Connection connection, @Nullable Object value, boolean asItBegan)
            throws SQLException {
        if (!original.containsKey(setting)) {
            if (asItBegan) original.put(setting, setting.get(connection));
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

    /** Puts back what is known. Each setting in a transaction of its own: with the next rollback some databases would take it back again. */
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

    /** The session is as it began. */
    void forget() {
        changed.clear();
        unknown = false;
    }
}

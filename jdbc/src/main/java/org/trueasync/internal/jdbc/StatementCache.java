package org.trueasync.internal.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The unused prepared statements of one physical connection. If there are too many, the least recently used one is
 * closed.
 */
final class StatementCache {
    private final int maxSize;
    private final LinkedHashMap<Key, PreparedStatement> idle = new LinkedHashMap<>();

    /** Statements in use that must not be cached again. */
    private final Set<Statement> distrusted = Collections.newSetFromMap(new IdentityHashMap<>());

    /** What a statement was prepared from. */
    record Key(String sql, int resultSetType, int concurrency) {}

    StatementCache(int maxSize) {
        this.maxSize = maxSize;
    }

    boolean isOn() {
        return maxSize > 0;
    }

    int size() {
        return idle.size();
    }

    /** Removes and returns a statement that was prepared from this; null if there is none. */
    @Nullable
    PreparedStatement take(Key key) {
        return idle.remove(key);
    }

    /** Marks a statement in use as one that must not be cached again. */
    void distrust(Statement statement) {
        if (statement instanceof PreparedStatement) distrusted.add(statement);
    }

    /** Takes a statement that is no longer in use; closes it if it is distrusted. */
    void give(Key key, PreparedStatement statement) throws SQLException {
        if (distrusted.remove(statement)) {
            statement.close();
            return;
        }
        PreparedStatement twin = idle.putLast(key, statement);
        if (twin != null && twin != statement) twin.close();
        if (idle.size() > maxSize) idle.pollFirstEntry().getValue().close();
    }

    /** Closes all, as the session is about to forget them. */
    void clear() throws SQLException {
        List<PreparedStatement> all = new ArrayList<>(idle.values());
        idle.clear();
        distrusted.clear();
        for (PreparedStatement statement : all) statement.close();
    }
}

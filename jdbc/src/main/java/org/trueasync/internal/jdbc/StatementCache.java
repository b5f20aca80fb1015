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

/** Prepared statements of one physical connection that nobody uses at the moment; when there are too many the one goes that was used longest ago. */
final class StatementCache {
    private final int most;
    private final LinkedHashMap<Key, PreparedStatement> idle = new LinkedHashMap<>();

    /** In use, and not to come back. */
    private final Set<Statement> distrusted = Collections.newSetFromMap(new IdentityHashMap<>());

    /** What a statement was prepared from. */
    record Key(String sql, int resultSetType, int concurrency) {}

    StatementCache(int most) {
        this.most = most;
    }

    boolean isOn() {
        return most > 0;
    }

    int size() {
        return idle.size();
    }

    /** One that was prepared from this, which leaves the cache; null if there is none. */
    @Nullable
    PreparedStatement take(Key key) {
        return idle.remove(key);
    }

    /** It is in use, and will not be as good as new. */
    void distrust(Statement statement) {
        if (statement instanceof PreparedStatement) distrusted.add(statement);
    }

    /** Nobody uses it any more; it is as good as new unless it is distrusted. */
    void give(Key key, PreparedStatement statement) throws SQLException {
        if (distrusted.remove(statement)) {
            statement.close();
            return;
        }
        PreparedStatement twin = idle.putLast(key, statement);
        if (twin != null && twin != statement) twin.close();
        if (idle.size() > most) idle.pollFirstEntry().getValue().close();
    }

    /** The session is about to forget them. */
    void clear() throws SQLException {
        List<PreparedStatement> all = new ArrayList<>(idle.values());
        idle.clear();
        distrusted.clear();
        for (PreparedStatement statement : all) statement.close();
    }
}

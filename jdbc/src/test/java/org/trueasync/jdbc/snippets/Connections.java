package org.trueasync.jdbc.snippets;

import java.sql.SQLException;
import org.trueasync.jdbc.PooledDataSource;

/** The example in the javadoc of {@link org.trueasync.jdbc}, which holds a copy of this region: it compiles. */
abstract class Connections {
    abstract void show(String name);

    void query(String secret, int id) throws SQLException {
        // @start region="pool" :
        try (var db = PooledDataSource.forUrl("jdbc:postgresql://localhost/shop")
                .user("shop")
                .password(secret)
                .max(10)
                .build()) {
            try (var c = db.getConnection();
                    var s = c.prepareStatement("select name from item where id = ?")) {
                s.setInt(1, id);
                try (var items = s.executeQuery()) {
                    while (items.next()) show(items.getString(1));
                }
            }
        }
        // @end
    }
}

package org.trueasync.internal.jdbc;

import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.SQLException;
import java.sql.SQLXML;
import org.jspecify.annotations.Nullable;

/**
 * A handle of a value that stays in the database until it is read: it needs its connection until it is freed, or the
 * transaction ends.
 */
abstract class LocatorHandle extends Handle {
    /** Its entry in {@link OpenHandles}. */
    OpenHandles.@Nullable Locator reference;

    LocatorHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }

    @Override
    String what() {
        return "this value";
    }

    /** See {@link Blob#free}; the same for the other types of locators. */
    public void free() throws SQLException {
        closeByUser(null);
    }

    @Override
    void closeDelegate() throws SQLException {
        switch (delegate) {
            case Blob locator -> locator.free();
            case Clob locator -> locator.free();
            case SQLXML locator -> locator.free();
            case Array locator -> locator.free();
            default -> {}
        }
    }
}

package org.trueasync.internal.jdbc;

import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.SQLException;
import java.sql.SQLXML;
import org.jspecify.annotations.Nullable;

/** A value that stays in the database until it is asked for: it needs its connection until it is freed, or the transaction ends. */
abstract class LocatorHandle extends Handle {
    private boolean freed;

    LocatorHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }

    /** See {@link Blob#free}, and its namesakes. */
    public void free() throws SQLException {
        if (freed) return;
        freed = true;
        if (lease.isOver()) return;
        lease.begin("this value", null);
        try {
            closeDelegate();
        } catch (Throwable e) {
            lease.closed(this);
            throw Failures.sneaky(leave(e));
        }
        lease.closed(this);
        leave();
        lease.settle();
    }

    @Override
    boolean endsWithTransaction() {
        return true;
    }

    @Override
    void closeDelegate() throws SQLException {
        freed = true;
        switch (delegate) {
            case Blob locator -> locator.free();
            case Clob locator -> locator.free();
            case SQLXML locator -> locator.free();
            case Array locator -> locator.free();
            default -> {}
        }
    }
}

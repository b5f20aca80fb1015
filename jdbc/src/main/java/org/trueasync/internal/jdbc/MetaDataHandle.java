package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import org.jspecify.annotations.Nullable;

/** The metadata of a connection's database. */
abstract class MetaDataHandle extends Handle implements DatabaseMetaData {
    MetaDataHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }

    @Override
    public Connection getConnection() {
        return lease.facade();
    }
}

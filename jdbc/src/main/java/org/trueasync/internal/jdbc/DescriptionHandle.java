package org.trueasync.internal.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The metadata of a result's columns or a statement's parameters. A driver may ask the server for it only when one of
 * its methods is called.
 */
abstract class DescriptionHandle extends Handle {
    DescriptionHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }
}

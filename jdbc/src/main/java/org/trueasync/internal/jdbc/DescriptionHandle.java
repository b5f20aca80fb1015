package org.trueasync.internal.jdbc;

import org.jspecify.annotations.Nullable;

/** What a result or a statement says of its columns or parameters: drivers may ask the server for that, as late as they are asked themselves. */
abstract class DescriptionHandle extends Handle {
    DescriptionHandle(Lease lease, Object delegate, @Nullable Handle parent) {
        super(lease, delegate, parent);
    }
}

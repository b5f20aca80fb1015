package org.trueasync.cluster;

import java.io.Serializable;
import java.util.Objects;
import java.util.UUID;

/**
 * A member of a cluster: one {@link Cluster} in one process.
 *
 * <p>Any thread.
 *
 * @param id new with each join
 * @param host where it listens
 * @param port where it listens
 */
public record ClusterMember(UUID id, String host, int port) implements Serializable {
    /** A member. */
    public ClusterMember {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(host, "host");
    }

    /** Returns {@code host:port}. */
    public String address() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    @Override
    public String toString() {
        return address();
    }
}

package org.trueasync.cluster;

import java.io.Serializable;
import java.util.Objects;
import java.util.UUID;

/**
 * A member of a cluster: one {@link Cluster} in one process.
 *
 * <p>Any thread.
 *
 * @param id the id that it got when it joined; each join gives a new one
 * @param host the host on which it listens
 * @param port the port on which it listens
 */
public record ClusterMember(UUID id, String host, int port) implements Serializable {
    /** Checks that the id and the host are not null. */
    public ClusterMember {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(host, "host");
    }

    /** Returns {@code host:port}, an IPv6 address in brackets. */
    public String address() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    @Override
    public String toString() {
        return address();
    }
}

package org.trueasync.internal.cluster;

import org.trueasync.cluster.ClusterTask;

/** A task that programs have, and do not allow. */
public record Forbidden(int n) implements ClusterTask<Integer> {
    @Override
    public Integer call() {
        return n;
    }
}

package org.trueasync.cluster;

import java.io.Serializable;
import java.util.concurrent.Callable;

/**
 * Work for a member of a cluster, written as a lambda or a record. The task travels to the member as a serialised
 * object, with all that it holds. There it runs in a coroutine, so it may wait and spawn. It may also use the static
 * fields of the member's program, a pool of database connections for instance. Both programs need its class.
 *
 * @param <T> type of the result, which travels back
 */
@FunctionalInterface
public interface ClusterTask<T> extends Callable<T>, Serializable {}

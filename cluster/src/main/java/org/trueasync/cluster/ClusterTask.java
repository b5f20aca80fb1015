package org.trueasync.cluster;

import java.io.Serializable;
import java.util.concurrent.Callable;

/**
 * Work for a member of a cluster: a lambda or a record. It travels there as a serialised object, with all that it
 * holds, and runs in a coroutine: it may wait, spawn, and use what that program has in its static fields, a pool of
 * database connections for instance. Both programs need its class.
 *
 * @param <T> type of the result, which travels back
 */
@FunctionalInterface
public interface ClusterTask<T> extends Callable<T>, Serializable {}

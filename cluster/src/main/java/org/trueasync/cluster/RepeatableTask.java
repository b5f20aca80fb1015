package org.trueasync.cluster;

/**
 * A task that may run more than once: running it twice has the same effect as running it once. If the member that has
 * it is lost, it is sent to another one, unless it was submitted to one member only.
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface RepeatableTask<T> extends ClusterTask<T> {
    /**
     * Returns a lambda as a repeatable task.
     *
     * @param task may run more than once
     */
    static <T> RepeatableTask<T> of(RepeatableTask<T> task) {
        return task;
    }
}

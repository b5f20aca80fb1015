package org.trueasync.cluster;

/**
 * A task that may run more than once: what it does twice has the effect of once. If the member that has it is lost, it
 * is sent to another one.
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

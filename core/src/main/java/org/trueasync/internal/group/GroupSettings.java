package org.trueasync.internal.group;

import org.jspecify.annotations.Nullable;

/**
 * The limits of a group: how many tasks may run at a time, and how many may wait for a slot.
 *
 * @param kind the public class, for messages
 * @param name printable, or null
 * @param concurrency at least 1; {@link Integer#MAX_VALUE} for no limit
 * @param queueLimit at least 1; {@link Integer#MAX_VALUE} for no limit
 */
public record GroupSettings(String kind, @Nullable String name, int concurrency, int queueLimit) {
    /** Stands for a queue of twice the concurrency. */
    public static final int DEFAULT_QUEUE = -1;

    /**
     * Makes settings from the numbers that users give.
     *
     * @param kind the public class
     * @param name printable, or null
     * @param concurrency 0 for no limit
     * @param queueLimit 0 for no limit, or {@link #DEFAULT_QUEUE}
     */
    public static GroupSettings of(String kind, @Nullable String name, int concurrency, int queueLimit) {
        requireConcurrency(concurrency);
        int queue = queueLimit == DEFAULT_QUEUE ? (int) Math.min(2L * concurrency, Integer.MAX_VALUE) : queueLimit;
        return new GroupSettings(kind, name, orUnlimited(concurrency), orUnlimited(queue));
    }

    /**
     * Fails if the concurrency is negative.
     *
     * @param concurrency 0 for no limit
     */
    public static void requireConcurrency(int concurrency) {
        if (concurrency < 0)
            throw new IllegalArgumentException("concurrency must be >= 0, 0 for no limit, got " + concurrency);
    }

    /**
     * Fails if the limit of the queue is negative.
     *
     * @param queueLimit 0 for no limit
     */
    public static void requireQueueLimit(int queueLimit) {
        if (queueLimit < 0)
            throw new IllegalArgumentException("queueLimit must be >= 0, 0 for no limit, got " + queueLimit);
    }

    private static int orUnlimited(int limit) {
        return limit == 0 ? Integer.MAX_VALUE : limit;
    }

    /** Returns the number of tasks that may be in the group without having settled. */
    int places() {
        return (int) Math.min((long) concurrency + queueLimit, Integer.MAX_VALUE);
    }

    /** Returns what the public class is, in words: {@code task group} or {@code task set}. */
    String kindInWords() {
        return kind.equals("TaskSet") ? "task set" : "task group";
    }

    boolean isLimited() {
        return concurrency != Integer.MAX_VALUE;
    }

    String named(String method) {
        return kind + "." + method;
    }
}

package org.trueasync;

/**
 * The counts of a {@link Pool} at one moment.
 *
 * <p>Any thread.
 *
 * @param count all resources, including those that are being made, checked or destroyed, or that a woken coroutine is
 *     about to make: {@code idle + active}
 * @param idle resources that are free
 * @param active resources that are not free: in use, reserved for a coroutine that was woken, or in a hook
 * @param waiting coroutines that wait for one
 * @param acquired how many times a resource was handed out so far
 * @param created how many were made so far
 * @param destroyed how many were destroyed so far
 * @param leaked how many were found so far to be unreachable without having been released
 */
public record PoolStats(
        int count, int idle, int active, int waiting, long acquired, long created, long destroyed, long leaked) {}

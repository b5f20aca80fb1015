package org.trueasync;

/**
 * What a {@link Pool} looked like at one moment.
 *
 * <p>Any thread.
 *
 * @param count all resources, those included that are being made, checked or destroyed: {@code idle + active}
 * @param idle those that are free
 * @param active those that are not: in use, promised to a coroutine that is about to run, or inside a hook
 * @param waiting coroutines that wait for one
 * @param acquired how many times a resource was handed out so far
 * @param created how many were made so far
 * @param destroyed how many were destroyed so far
 * @param leaked how many were dropped by their holders so far
 */
public record PoolStats(
        int count, int idle, int active, int waiting, long acquired, long created, long destroyed, long leaked) {}

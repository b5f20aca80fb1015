package org.trueasync.internal.tls;

/**
 * How many records may be encrypted or decrypted before other coroutines run. A record of 16 KiB takes some 17 us once
 * the ciphers are compiled. Until then the JVM interprets them, and a record takes milliseconds; so other coroutines
 * may run after each of the first records of a process.
 */
final class RecordBudget {
    /** After this many records the JIT compiler has compiled the ciphers. */
    private static final int COLD_RECORDS = 500;
    /** A count of calls greater than any limit: other coroutines get their turn every time. */
    private static final int EVERY_TIME = 1_000_000;
    /**
     * How many calls a record counts as, see {@link org.trueasync.internal.kernel.Loop#shareLoop(int)}: about as many
     * as take the same time.
     */
    private static final int RECORD_COUNTS = 4;

    /** Counted without synchronization: an estimate is enough. */
    private static int recordsSoFar;

    private RecordBudget() {}

    /** Counts a record that was encrypted or decrypted. */
    static void counted() {
        if (recordsSoFar < COLD_RECORDS) recordsSoFar++;
    }

    static boolean isCold() {
        return recordsSoFar < COLD_RECORDS;
    }

    /**
     * Returns the argument for {@link org.trueasync.internal.kernel.Loop#shareLoop(int)}.
     *
     * @param records records made in a row, at most
     * @return how many calls they count as
     */
    static int calls(int records) {
        return isCold() ? EVERY_TIME : records * RECORD_COUNTS;
    }
}

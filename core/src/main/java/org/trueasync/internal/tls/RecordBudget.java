package org.trueasync.internal.tls;

/**
 * How many records may be made or opened before the others run. A record of 16 KiB takes some 17 us once the ciphers are compiled. Until then the interpreter
 * computes them, and one takes milliseconds: the first ones of a process go one by one.
 */
final class RecordBudget {
    /** As many as the compiler needs to find out that they are worth its while, and some more. */
    private static final int COLD_RECORDS = 500;
    /** More than may be served in a row. */
    private static final int EVERY_TIME = 1_000_000;
    /** As many calls as take about as long as a record. */
    private static final int RECORD_COUNTS = 4;

    /** Counted without care for other threads: it is a guess anyway. */
    private static int records;

    private RecordBudget() {}

    /** A record was made or opened. */
    static void counted() {
        if (records < COLD_RECORDS) records++;
    }

    static boolean isCold() {
        return records < COLD_RECORDS;
    }

    /**
     * What to share the loop with.
     *
     * @param most how many records have been made in a row
     * @return how many calls that was
     */
    static int calls(int most) {
        return isCold() ? EVERY_TIME : most * RECORD_COUNTS;
    }
}

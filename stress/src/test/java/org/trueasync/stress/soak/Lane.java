package org.trueasync.stress.soak;

/** One kind of messages, sent with faults until the time is over. In a coroutine of its own. */
interface Lane {
    void run(Soak soak, Tally tally) throws Exception;
}

package org.trueasync.internal.recorder;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** An acquire from a pool had to wait for others. */
@Name("org.trueasync.PoolWait")
@Label("Pool Wait")
@Category("TrueAsync")
@Description("An acquire from a pool had to wait for others.")
@Threshold("20 ms")
@StackTrace(true)
final class PoolWaitEvent extends Event implements PoolEvents.Begun {
    @Label("Runtime")
    String runtime = "";

    @Label("Pool")
    String pool = "";

    @Label("Coroutine")
    long coroutine;

    @Label("Waiting Before")
    @Description("How many had been waiting already")
    int waitingBefore;

    @Label("Outcome")
    @Description("granted, timed out, cancelled, token ended, closed, unavailable or failed")
    String outcome = "";
}

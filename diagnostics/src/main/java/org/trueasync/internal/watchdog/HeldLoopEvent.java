package org.trueasync.internal.watchdog;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A report as the flight recorder gets it. */
@Name("org.trueasync.HeldLoop")
@Label("Held Loop")
@Category("TrueAsync")
@Description("A coroutine, or what runs in its place, held the loop for longer than the limit; once for each place")
@StackTrace(false)
final class HeldLoopEvent extends Event {
    @Label("Runtime")
    String runtime = "";

    @Label("Holder")
    String holder = "";

    @Label("Place")
    String place = "";

    @Label("Held So Far")
    @Timespan(Timespan.NANOSECONDS)
    long heldSoFar;

    @Label("Stack")
    String stack = "";
}

package org.trueasync.internal.recorder;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A circuit breaker has changed its state. */
@Name("org.trueasync.BreakerState")
@Label("Circuit Breaker State")
@Category("TrueAsync")
@Description("A circuit breaker has changed its state.")
@StackTrace(true)
final class BreakerStateEvent extends Event {
    @Label("Breaker")
    @Description("The name of the pool or of the guarded calls")
    String breaker = "";

    @Label("From")
    String from = "";

    @Label("To")
    String to = "";
}

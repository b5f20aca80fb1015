package org.trueasync.internal.recorder;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A coroutine gives up the thread; the stack tells where, unless JDK code has parked it. */
@Name("org.trueasync.CoroutineSuspend")
@Label("Coroutine Suspend")
@Category("TrueAsync")
@Description("A coroutine gives up the thread; the stack tells where, unless JDK code has parked it.")
@Enabled(false)
@StackTrace(true)
final class SuspendEvent extends Event {
    @Label("Runtime")
    String runtime = "";

    @Label("Coroutine")
    long coroutine;

    @Label("Awaits")
    String awaits = "";
}

package org.trueasync.internal.recorder;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A coroutine that was suspended goes on. */
@Name("org.trueasync.CoroutineResume")
@Label("Coroutine Resume")
@Category("TrueAsync")
@Description("A coroutine that was suspended goes on.")
@Enabled(false)
@StackTrace(false)
final class ResumeEvent extends Event {
    @Label("Runtime")
    String runtime = "";

    @Label("Coroutine")
    long coroutine;
}

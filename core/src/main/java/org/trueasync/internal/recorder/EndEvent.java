package org.trueasync.internal.recorder;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A coroutine has ended. */
@Name("org.trueasync.CoroutineEnd")
@Label("Coroutine End")
@Category("TrueAsync")
@Description("A coroutine has ended.")
@Enabled(false)
@StackTrace(false)
final class EndEvent extends Event {
    @Label("Runtime")
    String runtime = "";

    @Label("Coroutine")
    long coroutine;

    @Label("Outcome")
    @Description("completed, failed or cancelled")
    String outcome = "";

    @Label("Error")
    @Nullable
    Class<?> error;
}

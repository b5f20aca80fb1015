package org.trueasync.internal.recorder;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The factory of a pool has run. */
@Name("org.trueasync.PoolCreate")
@Label("Pool Create")
@Category("TrueAsync")
@Description("The factory of a pool has run.")
@StackTrace(true)
final class PoolCreateEvent extends Event implements PoolEvents.Begun {
    @Label("Runtime")
    String runtime = "";

    @Label("Pool")
    String pool = "";

    @Label("Error")
    @Nullable
    Class<?> error;
}

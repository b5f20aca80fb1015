package org.trueasync.internal.recorder;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A pool has destroyed a resource. */
@Name("org.trueasync.PoolDestroy")
@Label("Pool Destroy")
@Category("TrueAsync")
@Description("A pool has destroyed a resource.")
@StackTrace(true)
final class PoolDestroyEvent extends Event implements PoolEvents.Begun {
    @Label("Runtime")
    String runtime = "";

    @Label("Pool")
    String pool = "";

    @Label("Reason")
    String reason = "";

    @Label("Error")
    @Nullable
    Class<?> error;
}

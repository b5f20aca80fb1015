package org.trueasync.internal.recorder;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A resource of a pool was dropped without being released. */
@Name("org.trueasync.PoolLeak")
@Label("Pool Leak")
@Category("TrueAsync")
@Description("A resource of a pool was dropped without being released.")
@StackTrace(false)
final class PoolLeakEvent extends Event {
    @Label("Runtime")
    String runtime = "";

    @Label("Pool")
    String pool = "";

    @Label("Place")
    @Description("Where it was acquired; absent if that was not recorded")
    @Nullable
    String place;
}

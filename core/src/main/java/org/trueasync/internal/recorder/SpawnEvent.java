package org.trueasync.internal.recorder;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A coroutine was spawned; the stack is its spawner's. */
@Name("org.trueasync.CoroutineSpawn")
@Label("Coroutine Spawn")
@Category("TrueAsync")
@Description("A coroutine was spawned; the stack is its spawner's.")
@Enabled(false)
@StackTrace(true)
final class SpawnEvent extends Event {
    @Label("Runtime")
    String runtime = "";

    @Label("Coroutine")
    long coroutine;

    @Label("Spawned By")
    @Description("0 if it was no coroutine")
    long parent;

    @Label("Coroutine Name")
    @Description("Absent where it has none")
    @Nullable
    String name;

    @Label("Place")
    @Description("In the program; absent where spawn places are not kept")
    @Nullable
    String place;
}

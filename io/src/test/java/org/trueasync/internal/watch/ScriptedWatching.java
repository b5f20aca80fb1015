package org.trueasync.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.internal.testkit.ScriptedWatch;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.io.FileSystemEvent;
import org.trueasync.io.FileSystemWatcher;

/** What the tests of this package share: a runtime in virtual time in whose folders happens what the test says. */
final class ScriptedWatching {
    private ScriptedWatching() {}

    interface Scenario {
        void run(ScriptedReactor reactor) throws Throwable;
    }

    static TestRuntime run(Scenario scenario) {
        var reactor = new ScriptedReactor();
        var runtime = new TestRuntime(settings -> settings.reactor(() -> reactor));
        runtime.start(() -> {
            scenario.run(reactor);
            assertThat(Async.runtimeStats().activeEvents()).as("active events").isZero();
            // the one of a shutdown apart
            if (!Async.currentCoroutine().isCancellationRequested())
                assertThat(Async.runtimeStats().timers()).as("timers").isZero();
        });
        assertThat(reactor.watches()).allMatch(ScriptedWatch::isClosed);
        return runtime;
    }

    /** Has the next turn run, in which everything is told. */
    static void turn() {
        Async.delay(1);
    }

    /** {@code name RC}, with the flags that are set. */
    static String text(FileSystemEvent event) {
        if (event == null) return "end";
        return event.filename() + " " + (event.renamed() ? "R" : "") + (event.changed() ? "C" : "");
    }

    /** Everything until the end. */
    static List<String> rest(FileSystemWatcher watcher) {
        var texts = new ArrayList<String>();
        for (FileSystemEvent event : watcher) texts.add(text(event));
        return texts;
    }

    static Coroutine<String> next(FileSystemWatcher watcher) {
        return Async.spawn(() -> text(watcher.next()));
    }

    static FileSystemWatcher.Builder watching(Path folder) {
        return FileSystemWatcher.builder(folder);
    }
}

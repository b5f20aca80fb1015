package org.trueasync.testkit;

import java.time.Duration;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Waker;

/** What tests of events have in common. */
abstract class EventSuite {
    final TestRun run;

    EventSuite(ReactorKit kit) {
        this.run = new TestRun(kit::create);
    }

    static Object waitFor(Event event) {
        Waker waker = Waker.current();
        waker.resumeWhen(event, ResumeCallback.RESOLVE);
        return waker.await();
    }

    static TimerEvent timer(Duration delay) {
        return SchedulerProvider.get().timers().oneShot(delay);
    }

    static int active() {
        return SchedulerProvider.get().activeEvents().count();
    }
}

package org.trueasync.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.internal.event.Continuations;
import org.trueasync.internal.event.EventCount;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.TimerEvent;

/** What a heap of timers keeps, when it lets go, and what its timers say about themselves. */
class TimerEdgesTest {
    private long now;
    private boolean otherThread;
    private final EventCount active = new EventCount(() -> {
        if (otherThread) throw new AsyncException("wrong thread");
    });
    private final TimerHeap heap = new TimerHeap(() -> now, active, new Continuations(Runnable::run, Runnable::run));
    private final List<String> log = new ArrayList<>();

    /** An entry as the kernel's sleeping coroutines are: it tells when it is looked at, and when it fires. */
    private final class Entry extends TimerEntry {
        private final String name;

        Entry(String name) {
            this.name = name;
        }

        @Override
        protected int readAhead() {
            log.add("look " + name);
            return 3;
        }

        @Override
        protected void fire(long time) {
            heap.remove(this);
            log.add("fire " + name);
        }
    }

    private final class Told extends EventCallback {
        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
            log.add(error == null ? "fired" : error.getMessage());
        }
    }

    private Entry add(String name, long deadline) {
        var entry = new Entry(name);
        heap.add(entry, deadline);
        return entry;
    }

    private List<Entry> addMany(int count) {
        var all = new ArrayList<Entry>();
        for (int i = 0; i < count; i++) all.add(add("entry " + i, 1_000 + i));
        return all;
    }

    private void advanceTo(long time) {
        now = time;
        heap.fireDue();
    }

    // ---- batches

    @Test
    void dueEntries_areLookedAtOnceBeforeTheFirstHasItsTurn() {
        add("b", 2);
        add("a", 1);
        advanceTo(5);
        assertThat(log).containsExactly("look a", "look b", "fire a", "fire b");
    }

    @Test
    void oneDueEntry_isNotLookedAt() {
        add("a", 1);
        add("later", 100);
        advanceTo(5);
        assertThat(log).containsExactly("fire a");
    }

    @Test
    void batch_saysWhatIsInIt() {
        var batch = new Batch();
        batch.add(new Entry("a"), 1, TimerEntry.DISARMED);
        batch.add(new Entry("b"), 2, TimerEntry.DISARMED);
        assertThat(batch).hasToString("2 due, 0");
        assertThat(batch.fire(5, heap)).isTrue();
        assertThat(batch).hasToString("0 due, 6");
        assertThat(batch.fire(5, heap)).isFalse();
    }

    @Test
    void lastOfABatchDisarmedByItsFirst_doesNotFire() {
        var entries = new ArrayList<TimerEntry>();
        entries.add(new TimerEntry() {
            @Override
            protected int readAhead() {
                return 0;
            }

            @Override
            protected void fire(long time) {
                heap.remove(this);
                heap.remove(entries.get(2));
                log.add("first");
            }
        });
        heap.add(entries.get(0), 1);
        entries.add(add("second", 2));
        entries.add(add("third", 3));
        advanceTo(5);
        assertThat(log).containsExactly("look second", "look third", "first", "fire second");
        assertThat(heap.isEmpty()).isTrue();
    }

    @Test
    void callbackFillsTheHeapAndThrows_theOthersOfItsBatchAreStillDue() {
        var first = new TimerEntry() {
            @Override
            protected int readAhead() {
                return 0;
            }

            @Override
            protected void fire(long time) {
                heap.remove(this);
                addMany(16);
                throw new IllegalStateException("first");
            }
        };
        heap.add(first, 0);
        for (int i = 1; i < 64; i++) add("due " + i, i);
        now = 100;
        assertThatThrownBy(heap::fireDue).hasMessage("first");
        assertThat(heap.size()).isEqualTo(63 + 16);
        log.clear();
        heap.fireDue();
        assertThat(log.stream().filter(line -> line.startsWith("fire")))
                .hasSize(63)
                .startsWith("fire due 1", "fire due 2");
        assertThat(heap.size()).isEqualTo(16);
    }

    // ---- what is kept

    @Test
    void staleCells_areSweptOnceThereAreSixtyFourMoreThanLiveOnes() {
        List<Entry> all = addMany(200);
        while (heap.size() > 68) heap.remove(all.removeLast());
        assertThat(heap.cells()).as("132 stale, 68 live").isEqualTo(200);
        heap.remove(all.removeLast());
        assertThat(heap.cells()).as("133 stale, 67 live").isEqualTo(67);
        advanceTo(5_000);
        assertThat(log.stream().filter(line -> line.startsWith("fire")))
                .hasSize(67)
                .startsWith("fire entry 0", "fire entry 1");
    }

    @Test
    void fullHeap_isSweptIfMostOfItIsStaleAndGrowsOtherwise() {
        List<Entry> all = addMany(64);
        while (heap.size() > 31) heap.remove(all.removeLast());
        all.add(add("one more", 5_000));
        assertThat(heap.cells()).as("33 stale, 31 live: swept").isEqualTo(32);
        assertThat(heap.capacity()).isEqualTo(64);
        all.forEach(heap::remove);
        all = addMany(64);
        while (heap.size() > 32) heap.remove(all.removeLast());
        add("one more", 5_000);
        assertThat(heap.cells()).as("32 stale, 32 live: it grew").isEqualTo(65);
        assertThat(heap.capacity()).isEqualTo(128);
    }

    @Test
    void burst_leavesNoBigArraysBehind() {
        addMany(4_096).forEach(heap::remove);
        assertThat(heap.capacity()).isEqualTo(4_096);
        addMany(4_097).forEach(heap::remove);
        assertThat(heap.capacity()).isEqualTo(64);
        assertThat(heap.cells()).isZero();
    }

    @Test
    void disarmedEntries_areLetGoOf() {
        List<Entry> all = addMany(200);
        var lost = new WeakReference<>(all.removeLast());
        heap.remove(lost.get());
        while (heap.size() > 67) heap.remove(all.removeLast());
        var lostToo = new WeakReference<>(all.getFirst());
        Garbage.collect();
        assertThat(lost.get()).as("swept").isNull();
        while (!all.isEmpty()) heap.remove(all.removeLast());
        Garbage.collect();
        assertThat(lostToo.get()).as("cleared").isNull();
        assertThat(heap.isEmpty()).isTrue();
    }

    @Test
    void milliseconds_becomeNeverWhereTheyNoLongerFit() {
        long most = TimerHeap.LONGEST / 1_000_000;
        assertThat(TimerHeap.nanosOfMillis(most - 1)).isEqualTo((most - 1) * 1_000_000);
        assertThat(TimerHeap.nanosOfMillis(most)).isEqualTo(TimerHeap.LONGEST);
    }

    // ---- timers

    @Test
    void timer_saysWhatItIs() {
        TimerEvent once = heap.oneShot(Duration.ofMillis(10));
        assertThat(once.info()).isEqualTo("timer 10 ms, not started");
        once.start();
        assertThat(once.info()).isEqualTo("timer 10 ms");
        advanceTo(10_000_000);
        assertThat(once.info()).isEqualTo("timer 10 ms, fired");
        TimerEvent periodic = heap.periodic(Duration.ofMillis(7));
        assertThat(periodic.info()).isEqualTo("periodic timer 7 ms, not started");
        periodic.dispose();
        assertThat(periodic.info()).isEqualTo("periodic timer 7 ms");
    }

    @Test
    void rearmableWhoseCallbackThrows_isStoppedToo() {
        TimerEvent timer = heap.oneShot(Duration.ofNanos(10)).keepOpen();
        timer.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                throw new IllegalStateException("callback");
            }
        });
        timer.start();
        timer.start();
        now = 10;
        assertThatThrownBy(heap::fireDue).hasMessage("callback");
        assertThat(timer.isActive()).isFalse();
        assertThat(active.count()).isZero();
    }

    @Test
    void whoComesAfterTheEnd_isToldOfIt() {
        TimerEvent timer = heap.oneShot(Duration.ofNanos(10));
        assertThat(timer.replay(new Told())).isFalse();
        timer.start();
        advanceTo(10);
        assertThat(timer.replay(new Told())).isTrue();
        TimerEvent disposed = heap.oneShot(Duration.ofMillis(10));
        disposed.dispose();
        assertThat(disposed.replay(new Told())).isTrue();
        TimeoutEvent timeout = heap.timeout(Duration.ofMillis(10));
        assertThat(timeout.replay(new Told())).isFalse();
        timeout.dispose();
        assertThat(timeout.replay(new Told())).isTrue();
        assertThat(log)
                .containsExactly("fired", "timer 10 ms has been disposed of", "timeout 10 ms has been disposed of");
    }

    @Test
    void timeout_saysWhatItIsAndEndsForGood() {
        TimeoutEvent cancelled = heap.timeout(Duration.ofMillis(10));
        assertThat(cancelled).hasToString("timeout 10 ms");
        cancelled.start();
        cancelled.start();
        cancelled.cancel(new AsyncCancellation("enough"));
        assertThat(cancelled).hasToString("timeout 10 ms, cancelled");
        assertThat(cancelled.isClosed()).isTrue();
        assertThat(heap.isEmpty()).isTrue();
        TimeoutEvent expired = heap.expired();
        assertThat(expired).hasToString("timeout 0 ms, expired");
        assertThat(expired.isClosed()).isTrue();
        expired.replay(new Told());
        assertThat(log).containsExactly(new AsyncTimeoutException(Duration.ZERO).getMessage());
    }

    @Test
    void fromAnotherThread_everythingIsRefused() {
        TimerEvent timer = heap.oneShot(Duration.ofMillis(10));
        TimeoutEvent timeout = heap.timeout(Duration.ofMillis(10));
        otherThread = true;
        assertThatThrownBy(() -> timer.rearm(Duration.ofMillis(5))).hasMessage("wrong thread");
        assertThatThrownBy(timer::keepOpen).hasMessage("wrong thread");
        assertThatThrownBy(() -> timer.replay(new Told())).hasMessage("wrong thread");
        assertThatThrownBy(timeout::cancel).hasMessage("wrong thread");
        assertThatThrownBy(timeout::toCompletableFuture).hasMessage("wrong thread");
        otherThread = false;
        assertThat(timer.info()).isEqualTo("timer 10 ms, not started");
        assertThat(timeout.isCompleted()).isFalse();
    }
}

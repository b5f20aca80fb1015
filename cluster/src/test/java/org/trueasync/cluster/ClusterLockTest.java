package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.VoidSection;
import org.trueasync.internal.cluster.data.KeptLocks;

/** Locks between two members of one process. */
class ClusterLockTest extends PairTest {
    @Test
    void sections_neverOverlap_andFencesGrow() throws Exception {
        pair.test((one, other) -> {
            var inside = new int[1];
            List<Long> fences = new ArrayList<>();
            List<Coroutine<?>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                ClusterLock lock = (i % 2 == 0 ? one : other).lock("sections");
                all.add(spawn(() -> lock.withLock((VoidSection<RuntimeException>) () -> {
                    assertThat(++inside[0]).isEqualTo(1);
                    fences.add(lock.fence());
                    delay(1);
                    inside[0]--;
                })));
            }
            for (var each : all) await(each);
            assertThat(fences).hasSize(20).doesNotHaveDuplicates().isSorted();
        });
    }

    @Test
    void membersInLine_getItInTheOrderOfTheirCalls() throws Exception {
        pair.test((one, other) -> {
            ClusterLock here = one.lock("line");
            ClusterLock there = other.lock("line");
            List<String> order = new ArrayList<>();
            here.lock();
            var waiting = spawn(() -> there.withLock((VoidSection<RuntimeException>) () -> order.add("other")));
            Waiting.until("the other is in line", () -> KeptLocks.isWantedByOthers(one.engine(), "line"));
            assertThat(waiting.isCompleted()).isFalse();
            var again = spawn(() -> here.withLock((VoidSection<RuntimeException>) () -> order.add("one")));
            suspend();
            assertThat(there.tryLock()).isFalse();
            assertThat(there.tryLock(Duration.ofMillis(30))).isFalse();
            here.unlock();
            assertThat(here.tryLock()).as("promised to the one in line").isFalse();
            await(waiting);
            await(again);
            assertThat(order).containsExactly("other", "one");
            assertThat(there.tryLock()).isTrue();
            there.unlock();
        });
    }

    @Test
    void notReentrant_andOnlyTheHolderUnlocks() throws Exception {
        pair.test((one, other) -> {
            ClusterLock lock = one.lock("own");
            assertThatThrownBy(lock::unlock)
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("does not hold");
            assertThatThrownBy(lock::fence).isInstanceOf(ClusterException.class);
            lock.lock();
            assertThat(lock.isHeldByCurrent()).isTrue();
            assertThatThrownBy(lock::lock).isInstanceOf(AsyncException.class).hasMessageContaining("not reentrant");
            var stranger = spawn(() -> lock.unlock());
            assertThatThrownBy(() -> await(stranger)).isInstanceOf(ClusterException.class);
            lock.unlock();
            assertThat(other.lock("own").tryLock()).isTrue();
            other.lock("own").unlock();
        });
    }

    @Test
    void waiterThatGivesUp_leavesTheLine() throws Exception {
        pair.test((one, other) -> {
            ClusterLock here = one.lock("leaving");
            ClusterLock there = other.lock("leaving");
            here.lock();
            assertThatThrownBy(() -> there.lock(timeout(50))).isInstanceOf(OperationCanceledException.class);
            var waiting = spawn(() -> there.lock());
            assertThatThrownBy(() -> await(waiting, timeout(50))).isInstanceOf(OperationCanceledException.class);
            waiting.cancel();
            assertThatThrownBy(() -> await(waiting)).isInstanceOf(AsyncCancellation.class);
            here.unlock();
            // nothing is kept for those who have left
            long begun = System.nanoTime();
            here.lock();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
            here.unlock();
        });
    }

    @Test
    void sectionThatThrows_orIsCancelled_givesTheLockBack() throws Exception {
        pair.test((one, other) -> {
            ClusterLock here = one.lock("throwing");
            assertThatThrownBy(() -> here.withLock((VoidSection<java.io.IOException>) () -> {
                        throw new java.io.IOException("as it is");
                    }))
                    .isInstanceOf(java.io.IOException.class);
            var cancelled = spawn(() -> here.withLock((VoidSection<RuntimeException>) () -> delay(60_000)));
            Waiting.until("held", () -> !other.lock("throwing").tryLock() || unlocked(other.lock("throwing")));
            cancelled.cancel();
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
            assertThat(other.lock("throwing").tryLock()).isTrue();
            other.lock("throwing").unlock();
        });
    }

    @Test
    void cancellationThatIsDue_doesNotKeepTheLock() throws Exception {
        pair.test((one, other) -> {
            ClusterLock here = one.lock("due");
            var cancelled = spawn(() -> here.withLock((VoidSection<RuntimeException>)
                    () -> Async.currentCoroutine().cancel()));
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
            assertThat(other.lock("due").tryLock()).isTrue();
            other.lock("due").unlock();

            // cancelled at any time
            for (int turns = 0; turns < 30; turns++) {
                var locks = spawn(() -> here.withLock((VoidSection<RuntimeException>) () -> {}));
                for (int i = 0; i < turns; i++) suspend();
                locks.cancel();
                try {
                    await(locks);
                } catch (AsyncCancellation e) {
                    // unless it was through
                }
                assertThat(other.lock("due").tryLock(Duration.ofSeconds(30)))
                        .as("after %d turns", turns)
                        .isTrue();
                other.lock("due").unlock();
            }
        });
    }

    private static boolean unlocked(ClusterLock lock) {
        lock.unlock();
        return false;
    }
}

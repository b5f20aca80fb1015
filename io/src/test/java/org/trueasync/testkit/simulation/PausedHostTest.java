package org.trueasync.testkit.simulation;

import static org.trueasync.Async.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.Pool;

/** A host that stands still for seconds: then many limits and many events are due at once. */
@Timeout(300)
class PausedHostTest {
    private static final int MAX = 3;

    @Test
    void pool_keepsItsSizeItsOrderAndItsResources() {
        Simulation.explore(20, PausedHostTest::pool);
    }

    @Test
    @Tag("deep")
    void pool_keepsItsSizeItsOrderAndItsResources_often() {
        Simulation.explore(300, PausedHostTest::pool);
    }

    private static void pool(Simulation sim) {
        sim.host("other", () -> {});
        sim.faults().pauses("client").every(Duration.ofSeconds(1)).until(Duration.ofSeconds(20));
        for (String what : new String[] {"waits", "late", "cancelled", "done"}) sim.reachable(what);
        sim.client(() -> new Users(sim).run());
    }

    private static final class Users {
        final Simulation sim;
        final SplittableRandom random;
        final HashSet<Object> used = new HashSet<>();
        /** The numbers of those who wait, in their order. */
        final TreeSet<Integer> waiting = new TreeSet<>();

        final Pool<Object> pool =
                Pool.of(Object::new).destructor(gone -> delay(1)).max(MAX).build();
        int numbers;

        Users(Simulation sim) {
            this.sim = sim;
            this.random = new SplittableRandom(sim.random().nextLong());
        }

        void run() {
            int before = runtimeStats().coroutines();
            var all = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 8; i++) {
                var own = random.split();
                all.add(spawn(() -> {
                    while (sim.elapsed().toSeconds() < 20) {
                        use(own);
                        delay(own.nextInt(200));
                    }
                }));
            }
            all.forEach(one -> await(one));
            sim.always(pool.activeCount() == 0, "all are free: " + pool.stats());
            sim.always(pool.stats().waiting() == 0 && waiting.isEmpty(), "nobody waits: " + pool.stats());
            pool.close();
            sim.always(pool.count() == 0, "all are gone: " + pool.stats());
            sim.always(runtimeStats().coroutines() == before, "no coroutine is left: " + runtimeStats());
        }

        private void use(SplittableRandom own) {
            try {
                switch (own.nextInt(3)) {
                    case 0 -> hold(acquired(Duration.ofMillis(1 + own.nextInt(400))), own);
                    case 1 -> withTimeout(Duration.ofMillis(1 + own.nextInt(500)), () -> hold(acquired(null), own));
                    default -> hold(acquired(null), own);
                }
                sim.reachable("done");
            } catch (AsyncTimeoutException e) {
                sim.reachable(own.nextBoolean() ? "late" : "cancelled");
            }
        }

        private Object acquired(Duration limit) {
            int number = ++numbers;
            boolean waits = pool.idleCount() == 0 && pool.count() == MAX;
            if (waits) waiting.add(number);
            try {
                Object got = limit == null ? pool.acquire() : pool.acquire(limit);
                if (waits) {
                    sim.reachable("waits");
                    sim.always(waiting.first() == number, number + " is the first of " + waiting);
                }
                return got;
            } finally {
                waiting.remove(number);
            }
        }

        private void hold(Object resource, SplittableRandom own) {
            try {
                sim.always(used.add(resource), "one user at a time");
                sim.always(pool.count() <= MAX, "not too many: " + pool.stats());
                delay(own.nextInt(300));
            } finally {
                used.remove(resource);
                if (own.nextInt(5) == 0) pool.discard(resource);
                else pool.release(resource);
            }
        }
    }
}

package org.trueasync.stress.soak;

import java.util.ArrayList;
import java.util.List;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.Pool;

/** Four things for eight users: a thing has one user at a time, whoever is cancelled, and whatever is thrown away. */
final class PoolLane implements Lane {
    private static final int THINGS = 4;

    private static final class Thing {
        boolean used;
    }

    private int alive;

    @Override
    public void run(Soak soak, Tally tally) {
        Pool<Thing> pool = Pool.of(() -> {
                    if (++alive > THINGS) throw new AssertionError(alive + " things");
                    return new Thing();
                })
                .destructor(thing -> alive--)
                .max(THINGS)
                .build();
        List<Coroutine<?>> users = new ArrayList<>();
        for (int i = 0; i < 2 * THINGS; i++)
            users.add(Async.spawn(() -> {
                while (!soak.isOver()) use(soak, tally, pool);
            }));
        users.forEach(Coroutine::await);
        if (pool.activeCount() != 0) throw new AssertionError(pool.activeCount() + " things were not given back");
        pool.close();
    }

    private static void use(Soak soak, Tally tally, Pool<Thing> pool) {
        if (soak.isFault()) {
            tally.faults++;
            if (soak.random.nextBoolean()) {
                soak.cut(() -> pool.use(thing -> {
                    begin(thing);
                    try {
                        Async.suspend();
                    } finally {
                        thing.used = false;
                    }
                }));
                return;
            }
            Thing thing = pool.acquire();
            begin(thing);
            thing.used = false;
            pool.discard(thing);
            return;
        }
        Thing thing = pool.acquire();
        begin(thing);
        Async.suspend();
        thing.used = false;
        pool.release(thing);
        tally.messages++;
    }

    private static void begin(Thing thing) {
        if (thing.used) throw new AssertionError("a thing has two users");
        thing.used = true;
    }
}

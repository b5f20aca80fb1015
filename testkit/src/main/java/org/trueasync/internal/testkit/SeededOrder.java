package org.trueasync.internal.testkit;

import java.util.SplittableRandom;
import org.trueasync.spi.RunOrder;

/**
 * A run order that a seed decides. Some seeds mix all ready coroutines; others mostly keep the order, or reverse it,
 * with rare exceptions. The second kind finds races that need one coroutine to be delayed for long.
 */
public final class SeededOrder implements RunOrder {
    private final SplittableRandom random;
    private final boolean youngestFirst;
    private final int exceptionOneIn;

    /**
     * Creates the order of a run.
     *
     * @param seed equal seeds give equal orders
     */
    public SeededOrder(long seed) {
        random = new SplittableRandom(~seed);
        youngestFirst = random.nextInt(4) == 0;
        exceptionOneIn = 1 << random.nextInt(5);
    }

    @Override
    public int choose(int ready) {
        if (random.nextInt(exceptionOneIn) == 0) return random.nextInt(ready);
        return youngestFirst ? ready - 1 : 0;
    }
}

package org.trueasync.internal.testkit;

import java.util.SplittableRandom;
import org.trueasync.spi.RunOrder;

/**
 * An order of running that a seed decides. Each has a style of its own: some mix all that are ready, others mostly keep the order, or turn it round,
 * and seldom make an exception. A race that needs one long delay is found by the latter.
 */
public final class SeededOrder implements RunOrder {
    private final SplittableRandom random;
    private final boolean youngestFirst;
    private final int exceptionOneIn;

    /**
     * The decisions of a run.
     *
     * @param seed equal ones decide equally
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

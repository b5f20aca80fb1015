package org.trueasync.internal.diagnostics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.trueasync.Coroutine;
import org.trueasync.internal.failure.FailureText;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;

/** Who waits for whom: the coroutines that alone can end the wait of another one. Loop thread. */
public final class Wakers {
    private static final int MAX_SHOWN = 5;
    private static final int MAX_ASKED = 100;
    /** Among more coroutines the takers of what is lent are not looked for: that would hold the loop. */
    private static final int MAX_COROUTINES = 5_000;

    /** Ends the search, as there are too many. */
    private static final class TooMany extends RuntimeException {
        private static final long serialVersionUID = 1;

        private TooMany() {
            super("more than " + MAX_ASKED, null, false, false);
        }
    }

    private static final class Few extends ArrayList<Coroutine<?>> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean add(Coroutine<?> coroutine) {
            if (size() == MAX_ASKED) throw new TooMany();
            return super.add(coroutine);
        }

        @Override
        public boolean addAll(Collection<? extends Coroutine<?>> more) {
            if (size() + more.size() > MAX_ASKED) throw new TooMany();
            return super.addAll(more);
        }
    }

    private Wakers() {}

    /** The coroutines that alone can end its wait, in no order; empty if it is not known or there are many. */
    public static List<Coroutine<?>> find(Coroutine<?> waiting) {
        Loop loop = ((CoroutineImpl<?>) waiting).loop();
        if (Inspection.waitsForLease(waiting) && new LoopProbe(loop).coroutines() > MAX_COROUTINES) return List.of();
        var found = new Few();
        try {
            return Inspection.addWakers(waiting, found) ? found : List.of();
        } catch (TooMany stop) {
            return List.of();
        } finally {
            Inspection.forgetWaiting(loop);
        }
    }

    /** As {@link #find}, for a person to read: their numbers and names. */
    static List<String> of(Coroutine<?> waiting) {
        List<Coroutine<?>> found = find(waiting);
        return found.size() > MAX_SHOWN
                ? List.of()
                : found.stream().map(FailureText::label).toList();
    }
}

package org.trueasync.internal.kernel;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.event.Lent;
import org.trueasync.internal.jdk.VirtualThreads;

/**
 * Finds coroutines whose waits nothing can end, by the garbage collector. What can end a wait refers to the coroutine,
 * see {@link org.trueasync.internal.event.HeldByWakers}. Apart from that only the lists of the runtime do. So these
 * lists let the coroutines go for a moment, and those that the collector finds unreachable are stuck.
 *
 * <p>All of it is one step of the loop: no code of the program sees the lists without their coroutines. A finalizer
 * brings the unreachable ones back, as nothing else can. The finalizable objects are made by the search.
 */
final class StuckSearch {
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    /** Set once this JVM has been seen to finalise. */
    private static volatile boolean works;

    /** Set once it has not been seen to do so for long: the next search does not wait for it again. */
    private static volatile boolean waited;

    /** A coroutine's place in the list of its scope. */
    private static final class Place extends WeakReference<CoroutineImpl<?>> {
        /** The coroutine, once its finalizer has brought it back. */
        volatile @Nullable CoroutineImpl<?> back;

        Place(CoroutineImpl<?> coroutine) {
            super(coroutine);
        }
    }

    /** An object to which a coroutine refers during the search, so that it is finalised when neither is reachable. */
    private final class Tie {
        private final Place place;
        /** Null once the coroutine is listed again. */
        private volatile @Nullable CoroutineImpl<?> coroutine;
        /** They wait for what the coroutine holds. */
        private final List<CoroutineImpl<?>> waiting = new ArrayList<>(0);

        Tie(Place place, CoroutineImpl<?> coroutine) {
            this.place = place;
            this.coroutine = coroutine;
        }

        @Override
        @SuppressWarnings({"removal", "deprecation", "Finalize"})
        protected void finalize() {
            if (coroutine == null) return;
            place.back = coroutine; // without a local variable, by which the next search could find it reachable
            found.incrementAndGet();
            if (over) loop.post(this::isLate);
        }

        /** The search has given up waiting for this finalizer: those of the program came first. */
        private void isLate() {
            CoroutineImpl<?> late = coroutine;
            if (late == null) return;
            untie(late);
            if (late.isMain()) loop.main = late;
            late.waitIsReachableAgain();
            late.scope().addLast(late);
            if (late.scope().isCancelled()) late.cancel();
        }
    }

    /**
     * The own coroutines of a scope, in order.
     *
     * @param all each coroutine, or its {@link Place} while the search may find it
     */
    private record Members(CoroutineScope scope, List<Object> all) {}

    private final Loop loop;
    private final List<Members> scopes = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final AtomicInteger found = new AtomicInteger();
    private volatile boolean over;

    private StuckSearch(Loop loop) {
        this.loop = loop;
    }

    /** See {@link Inspection#findStuck}. */
    static Inspection.Stuck in(Loop loop) {
        requireCollector();
        return new StuckSearch(loop).run();
    }

    private Inspection.Stuck run() {
        Object[] held = loop.weaklyHeld.toArray();
        try {
            for (CoroutineScope scope : loop.scopes.all()) prepare(scope);
            tieToHolders();
            for (Members members : scopes) members.scope.relist(members.all);
            collect();
            awaitFinalizers();
        } finally {
            over = true;
            Reference.reachabilityFence(held);
            for (Members members : scopes) restore(members);
        }
        var result = new Inspection.Stuck(takeFound(), places.size());
        // The ties refer to this search, and are kept until the thread of the finalizers comes to them.
        scopes.clear();
        places.clear();
        return result;
    }

    private void prepare(CoroutineScope scope) {
        List<Object> all = new ArrayList<>(scope.live());
        for (CoroutineImpl<?> c = scope.after(null); c != null; c = scope.after(c)) all.add(c);
        scopes.add(new Members(scope, all)); // complete: if there is no memory for the places, it is listed again so
        for (int i = 0; i < all.size(); i++)
            if (all.get(i) instanceof CoroutineImpl<?> c && mayBeFound(c)) all.set(i, place(c));
    }

    private static boolean mayBeFound(CoroutineImpl<?> coroutine) {
        ExecutionContext context = coroutine.context;
        return context != null
                && context.state == ExecutionContext.HELD
                && coroutine.isHeldByWakers()
                && !coroutine.hasTimeLimit();
    }

    private Place place(CoroutineImpl<?> coroutine) {
        FaultPoint.pass();
        var place = new Place(coroutine);
        places.add(place);
        coroutine.tie(new Tie(place, coroutine));
        if (coroutine.isMain()) loop.main = null;
        return place;
    }

    /** Has those who wait for what is lent be reachable through all of its holders, and not through the thing. */
    private void tieToHolders() {
        for (Place place : places) tieToHolders(Objects.requireNonNull(place.get()));
        for (Place place : places) Objects.requireNonNull(place.get()).knownByWhatItHolds(false);
        Inspection.forgetWaiting(loop);
    }

    private static void tieToHolders(CoroutineImpl<?> waiting) {
        Lent lent = waiting.lent();
        if (lent == null) return;
        var holders = new ArrayList<Coroutine<?>>();
        if (!lent.addProducers(holders)) return;
        for (Coroutine<?> holder : holders)
            if (!(CoroutineImpl.of(holder).tied() instanceof Tie)) return; // it can go on, and then end the wait
        if (!lent.letGo()) return;
        for (Coroutine<?> holder : holders)
            if (CoroutineImpl.of(holder).tied() instanceof Tie tie) tie.waiting.add(waiting);
    }

    /** The JVM may finalise and still ignore requests; then nothing that follows would mean anything. */
    private static void collect() {
        var garbage = new WeakReference<>(new Object());
        System.gc();
        if (!garbage.refersTo(null))
            throw new UnsupportedOperationException("this JVM does not collect on request: is it started with"
                    + " -XX:+DisableExplicitGC or -XX:+UseEpsilonGC?");
    }

    /** Waits until the finalizers have brought back all that the collector has found unreachable. */
    private void awaitFinalizers() {
        int lost = 0;
        for (Place place : places) if (place.refersTo(null)) lost++;
        int all = lost;
        if (!await(() -> found.get() >= all, PATIENCE_NANOS / 10)) {
            helpFinalizers();
            await(() -> found.get() >= all, PATIENCE_NANOS);
        }
    }

    /** Has the JVM run the finalizers that are due in a second thread: one of the program holds the first up. */
    @SuppressWarnings({"removal", "deprecation"})
    private static void helpFinalizers() {
        Thread.ofPlatform().daemon().name("trueasync-finalizers").start(System::runFinalization);
    }

    /** Lists the coroutines again. Takes no memory: there may be none left. */
    private void restore(Members members) {
        List<Object> all = members.all;
        for (int i = 0; i < all.size(); i++) {
            if (!(all.get(i) instanceof Place place)) continue;
            CoroutineImpl<?> back = place.back;
            CoroutineImpl<?> coroutine = back != null ? back : place.get();
            if (coroutine == null) continue; // it comes late
            untie(coroutine);
            if (coroutine.isMain()) loop.main = coroutine;
            all.set(i, coroutine);
        }
        members.scope.relist(all);
    }

    private static void untie(CoroutineImpl<?> coroutine) {
        coroutine.knownByWhatItHolds(true);
        if (coroutine.untie() instanceof Tie tie) {
            tie.coroutine = null;
            tie.waiting.clear();
        }
    }

    private List<Coroutine<?>> takeFound() {
        var taken = new ArrayList<Coroutine<?>>();
        for (Place place : places) {
            CoroutineImpl<?> back = place.back;
            if (back == null) continue;
            place.back = null; // the thread of the finalizers may refer to the place for some time
            back.waitIsReachableAgain();
            taken.add(back);
        }
        taken.sort(Comparator.comparingLong(Coroutine::id));
        return taken;
    }

    // ---- the JVM

    /** An object that is unreachable at once. */
    private static final class Canary {
        @Override
        @SuppressWarnings({"removal", "deprecation", "Finalize"})
        protected void finalize() {
            works = true;
        }
    }

    /** Fails unless this JVM collects on request and finalises: otherwise the search would lose what it finds. */
    private static void requireCollector() {
        if (VirtualThreads.TRACKED)
            throw new UnsupportedOperationException(
                    "with -Djdk.trackAllThreads=true the JDK holds all coroutines, so none can be found unreachable");
        if (works) return;
        new Canary();
        collect();
        if (await(() -> works, waited ? 0 : PATIENCE_NANOS)) return;
        waited = true;
        throw new UnsupportedOperationException(
                "this JVM does not finalise what it collects: is it started with --finalization=disabled?");
    }

    /** Waits without letting anything else run on the loop; false if it took too long. */
    private static boolean await(BooleanSupplier done, long nanos) {
        long begin = System.nanoTime();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - begin > nanos) return false;
            Thread.onSpinWait();
        }
        return true;
    }
}

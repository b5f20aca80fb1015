package org.trueasync.internal.await;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AwaitOption;
import org.trueasync.Completable;
import org.trueasync.FirstSuccess;
import org.trueasync.Outcomes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.failure.AwaitedTrace;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.ResumeCallback;

/**
 * Waits for several things: a {@link Gathering} is filled and awaited, and its outcomes are returned in the form that
 * the caller wants.
 */
public final class AwaitingSeveral {
    /** The count that stands for all members. */
    public static final int ALL = Integer.MAX_VALUE;

    private final Gathering gathering;

    private AwaitingSeveral(Gathering gathering) {
        this.gathering = gathering;
    }

    // ---- waiting

    /**
     * Waits until enough members have succeeded or all have ended.
     *
     * @param call the waiting call, for messages
     * @param enough how many values are wanted, or {@link #ALL}
     * @param source a map, or an iterable, whose keys are 0, 1, ...; a helper coroutine iterates over an iterable that
     *     is no collection
     * @param token gives the wait up, or null
     * @param options whether there is an outcome then
     */
    public static AwaitingSeveral settled(
            String call, int enough, Object source, @Nullable Completable<?> token, AwaitOption... options) {
        return await(call, enough, false, source, token, List.of(options).contains(AwaitOption.PARTIAL));
    }

    /**
     * Waits until enough members have succeeded or all have ended; throws the first error at once.
     *
     * @param call the waiting call, for messages
     * @param enough how many values are wanted, or {@link #ALL}
     * @param source as for {@link #settled}
     * @param token gives the wait up, or null
     * @param options as for {@link #settled}
     */
    public static AwaitingSeveral succeeded(
            String call, int enough, Object source, @Nullable Completable<?> token, AwaitOption... options) {
        return await(call, enough, true, source, token, List.of(options).contains(AwaitOption.PARTIAL));
    }

    private static AwaitingSeveral await(
            String call, int enough, boolean failFast, Object source, @Nullable Completable<?> token, boolean partial) {
        if (enough < 0) throw new IllegalArgumentException("count must be >= 0, got " + enough);
        Objects.requireNonNull(source, "what to await");
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        Awaiting.markUsed(token);
        var gathering = new Gathering(call, enough, failFast, partial);
        Throwable thrown = null;
        try {
            if (!gathering.isClosed()) {
                if (source instanceof Iterable<?> lazy && !(source instanceof Collection<?>))
                    pull(self, gathering, lazy, token);
                else awaitPresent(self, gathering, source, token);
            }
            gathering.requireSuccess();
        } catch (Throwable e) {
            thrown = e;
            throw Throwing.sneaky(AwaitedTrace.of(e, Runtimes::labelHere));
        } finally {
            gathering.waiterLeaves(thrown);
        }
        return new AwaitingSeveral(gathering);
    }

    /** Adds all members and takes the outcomes that are there, before it waits. */
    private static void awaitPresent(
            CoroutineImpl<?> self, Gathering gathering, Object source, @Nullable Completable<?> token) {
        if (source instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet())
                gathering.add(entry.getKey(), Awaiting.member(self.loop(), entry.getValue()));
        } else {
            int index = 0;
            for (Object member : (Iterable<?>) source) gathering.add(index++, Awaiting.member(self.loop(), member));
        }
        gathering.complete();
        gathering.takeOutcomes();
        if (!gathering.isClosed()) suspend(self, gathering, token);
    }

    private static void pull(
            CoroutineImpl<?> self, Gathering gathering, Iterable<?> source, @Nullable Completable<?> token) {
        if (isGivenUp(gathering, token)) return;
        var puller = new Puller(self.loop(), gathering, source);
        try {
            suspend(self, gathering, token);
        } finally {
            puller.stop();
        }
    }

    /* Subscribes to the token before the members. So if a token is also a member, its end ends the wait. */
    private static void suspend(CoroutineImpl<?> self, Gathering gathering, @Nullable Completable<?> token) {
        if (isGivenUp(gathering, token)) return;
        if (token == null || !gathering.isPartial()) {
            Awaiting.until(self, gathering, token);
        } else {
            self.newWait();
            self.resumeWhen(gathering, ResumeCallback.RESOLVE);
            self.resumeWhen(Awaiting.event(token), (waker, fired, result, error) -> gathering.finish());
            self.awaitEvents();
        }
    }

    /** Looks whether the token has ended already: gives the wait up, or throws. */
    private static boolean isGivenUp(Gathering gathering, @Nullable Completable<?> token) {
        if (!gathering.isPartial() || token == null || !token.isCompleted()) {
            Awaiting.requireOpen(token);
            return false;
        }
        gathering.finish();
        return true;
    }

    // ---- outcomes

    /**
     * Returns values and errors, by the keys of the input.
     *
     * @param options the order, and whether failed members have a null among the values
     */
    @SuppressWarnings("unchecked") // the keys and values are the input's
    public <K, T> Outcomes<K, T> outcomes(AwaitOption... options) {
        boolean fillNull = List.of(options).contains(AwaitOption.FILL_NULL);
        var results = new LinkedHashMap<K, @Nullable T>();
        var errors = new LinkedHashMap<K, Throwable>();
        for (Member member : ended(options)) {
            K key = (K) member.key;
            if (member.error == null) results.put(key, (T) member.value);
            else {
                errors.put(key, member.error);
                if (fillNull) results.put(key, null);
            }
        }
        return new Outcomes<>(Collections.unmodifiableMap(results), Collections.unmodifiableMap(errors));
    }

    /**
     * Returns the values.
     *
     * @param options as for {@link #outcomes}
     */
    @SuppressWarnings("unchecked") // as above
    public <T> List<T> values(AwaitOption... options) {
        var values = new ArrayList<T>();
        for (Member member : ended(options)) values.add((T) member.value);
        return values;
    }

    /** Returns the value of the member that ended first; null if none has ended. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as above
    public <T> @Nullable T first() {
        Member first = gathering.firstEnded();
        return first == null ? null : (T) first.value;
    }

    /** Returns the value of the member that succeeded, if there is one, and the errors. */
    @SuppressWarnings("unchecked") // as above
    public <T> FirstSuccess<T> firstSuccess() {
        Map<Object, Throwable> errors = this.<Object, T>outcomes().errors();
        Member last = gathering.lastEnded();
        if (last == null || last.error != null) return new FirstSuccess<>(false, null, errors);
        return new FirstSuccess<>(true, (T) last.value, errors);
    }

    private List<Member> ended(AwaitOption... options) {
        var ended = new ArrayList<Member>();
        if (List.of(options).contains(AwaitOption.ORDER_OF_ENDING)) {
            for (Member m = gathering.firstEnded(); m != null; m = m.nextEnded) ended.add(m);
        } else {
            for (Member m : gathering.members()) if (m.hasEnded()) ended.add(m);
        }
        return ended;
    }
}

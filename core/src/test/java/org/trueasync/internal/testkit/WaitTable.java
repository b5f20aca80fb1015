package org.trueasync.internal.testkit;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trueasync.Completable;
import org.trueasync.internal.testkit.WaitCase.SetUp;

/** Waits of public operations by the names of their methods, see {@link WaitingMethods#name}. */
public abstract class WaitTable {
    /** A limit that never comes. */
    protected static final Duration AGES = Duration.ofDays(365);

    private final Map<String, SetUp> rows = new LinkedHashMap<>();

    /** An operation of something; the token is ignored by one that takes none. */
    @FunctionalInterface
    protected interface On<T> {
        void call(T thing, Completable<?> token) throws Throwable;
    }

    /** The rows in their order. */
    public Map<String, SetUp> rows() {
        return rows;
    }

    /**
     * Every so many-th row.
     *
     * @param each 1 for all
     */
    public static Stream<String> sample(Collection<String> rows, int each) {
        List<String> all = List.copyOf(rows);
        return IntStream.range(0, all.size()).filter(i -> i % each == 0).mapToObj(all::get);
    }

    protected void row(String method, SetUp setUp) {
        if (rows.put(method, setUp) != null) throw new AssertionError("twice: " + method);
    }

    /** Has a wait begun by a method that ends by a token if its name says so. */
    protected static void call(String method, WaitCase wait, WaitCase.Call call) {
        wait.call(call, takesToken(method));
    }

    protected static boolean takesToken(String method) {
        return method.matches(".*[(, ]Completable(, (AwaitOption|FileAttribute)\\[\\])?\\)")
                && !method.equals("Async.await(Completable)");
    }
}

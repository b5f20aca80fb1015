package org.trueasync.bench.growth;

import java.util.ArrayList;
import java.util.List;
import org.trueasync.Async;
import org.trueasync.ContextKey;
import org.trueasync.Coroutine;
import org.trueasync.Scope;
import org.trueasync.TaskGroup;
import org.trueasync.bench.workload.Counter;

/** Elements that own others, each with one of these; and what a scope owns. */
final class Owners {

    private Owners() {}

    static long objects(int count) {
        List<byte[]> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) all.add(new byte[1 << 10]);
        var used = new Counter();
        Released.mixed(all, object -> used.value += 1 + object[object.length / 2]);
        return used.value;
    }

    static long scopes(int count) {
        List<Scope> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) all.add(new Scope());
        return useAndClose(all);
    }

    static long children(int count) {
        try (var parent = new Scope()) {
            List<Scope> all = new ArrayList<>(count);
            for (int i = 0; i < count; i++) all.add(Scope.inherit(parent));
            return useAndClose(all);
        }
    }

    private static long useAndClose(List<Scope> all) {
        var used = new Counter();
        for (Scope scope : all) scope.spawn(() -> used.value++);
        Async.suspend();
        Released.mixed(all, Scope::close);
        return used.value;
    }

    static long groups(int count) {
        var used = new Counter();
        List<TaskGroup<?>> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            var group = new TaskGroup<Object>();
            group.spawn(() -> used.value++);
            all.add(group);
        }
        Released.mixed(all, group -> {
            group.close();
            group.awaitCompletion();
        });
        return used.value;
    }

    static long values(int count) {
        try (var scope = new Scope()) {
            List<ContextKey<Integer>> keys = new ArrayList<>(count);
            for (int i = 0; i < count; i++) keys.add(ContextKey.named("key"));
            Coroutine<Long> user = scope.spawn(() -> {
                for (ContextKey<Integer> key : keys) scope.context().set(key, 1);
                long used = 0;
                for (ContextKey<Integer> key : keys)
                    used += Async.currentContext().find(key);
                Released.mixed(keys, scope.context()::unset);
                return used;
            });
            return Async.await(user);
        }
    }
}

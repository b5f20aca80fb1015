package org.trueasync.bench.growth;

import java.util.stream.IntStream;

/** The kinds of elements; a process each. */
enum Kind {
    /** No kind of ours: what the processor's caches and the collector take. */
    OBJECTS("objects of 1 KiB", 1_000_000, Owners::objects),
    SCOPES("scopes", 1_000_000, Owners::scopes),
    CHILDREN("children of a scope", 1_000_000, Owners::children),
    GROUPS("groups", 1_000_000, Owners::groups),
    CONTEXT("values of a context", 1_000_000, Owners::values),
    COROUTINES("coroutines that wait", 1_000_000, Waiters::futures),
    FUTURE("waiters of a future", 1_000_000, Waiters::future),
    TOKEN("waits with one token", 1_000_000, Waiters::token),
    CHANNEL("waiters of a channel", 1_000_000, Waiters::channel),
    MUTEX("waiters of a mutex", 1_000_000, Waiters::mutex),
    POOL("waiters of a pool", 1_000_000, Waiters::pool),
    TIMERS("timers", 1_000_000, Waiters::timers),
    FILE_LOCK("waiters of a file lock", 100_000, Waiters::fileLock),
    FILE_LOCKS("file locks", 10_000, Waiters::fileLocks),
    EVENT("subscriptions to an event", 1_000_000, Registered::subscriptions),
    ROUTES("HTTP routes", 1_000_000, Registered::routes),
    FOLDERS("watches of folders", 10_000, Registered::watches),
    TOPICS("topics of a cluster", 10_000, Registered::topics),
    CONNECTIONS("open connections", 100_000, Connections::all);

    static final int FEW = 1_000;

    private static final int[] NUMBERS = {FEW, 10_000, 100_000, 1_000_000};

    final String title;
    final int most;
    final Elements elements;

    Kind(String title, int most, Elements elements) {
        this.title = title;
        this.most = most;
        this.elements = elements;
    }

    /** The system keeps the locks on a file in a list, and goes through it for each. */
    boolean isFlat() {
        return this != FILE_LOCKS;
    }

    /** 1,000, 100,000 and 1,000,000; fewer where there cannot be so many. */
    int[] numbers() {
        return this == CONNECTIONS
                ? new int[] {FEW, Connections.most()}
                : IntStream.of(NUMBERS)
                        .filter(number -> number <= most && (number != 10_000 || number == most))
                        .toArray();
    }
}

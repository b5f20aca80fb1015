package org.trueasync.launcher.timeline;

import java.util.List;

/** What sort of thing a coroutine awaits, and the colour that Chrome's viewer gives it. */
enum WaitKind {
    TURN("turn", "thread_state_runnable", "its turn"),
    JDK("jdk code", "grey", "JDK code"),
    TIMER("timer", "thread_state_sleeping", "timer ", "periodic timer ", "timeout "),
    CHANNEL("channel", "rail_animation", "send to ", "receive from ", "the end of channel"),
    LOCK("lock", "bad", "mutex", "semaphore", "latch", "barrier"),
    POOL("pool", "terrible", "acquire from ", "Pool '", "circuit breaker "),
    CHILD("process", "olive", "end of child process", "end of process", "run of ", "signal "),
    COROUTINE(
            "coroutine",
            "rail_response",
            "coroutine ",
            "completion of ",
            "last coroutine of ",
            "task",
            "iterate",
            "future",
            "await",
            "call to core ",
            "completion stage ",
            "end of thread ",
            "end of a task"),
    IO(
            "i/o",
            "thread_state_iowait",
            "descriptor ",
            "read",
            "write",
            "flush",
            "close",
            "send from ",
            "receive on ",
            "accept",
            "connect",
            "listen on ",
            "look-up",
            "lookup",
            "open",
            "size of ",
            "lock of ",
            "lines of ",
            "stream to ",
            "pipe to ",
            "datagram on ",
            "turn to ",
            "change of ",
            "changes in "),
    OTHER("other", "generic_work");

    final String category;
    final String colour;

    @SuppressWarnings("ImmutableEnumChecker") // it is from List.of
    private final List<String> beginnings;

    WaitKind(String category, String colour, String... beginnings) {
        this.category = category;
        this.colour = colour;
        this.beginnings = List.of(beginnings);
    }

    /** The kind of a wait, by the first of the things awaited: their descriptions are what a recording has of them. */
    static WaitKind of(String awaits) {
        for (WaitKind kind : values()) if (kind.beginnings.stream().anyMatch(awaits::startsWith)) return kind;
        return OTHER;
    }
}

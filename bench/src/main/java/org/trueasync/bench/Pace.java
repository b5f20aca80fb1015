package org.trueasync.bench;

import java.time.Duration;

/**
 * How long a run may take.
 *
 * <p>A round of a JMH suite is one fork of each benchmark, a round of the others one process of each peer. Servers are
 * measured in short windows, in turn.
 *
 * @param echoWarmUp how long a fresh echo server warms up on both cpus before it is pinned
 * @param httpWarmUp the same for a server of HTTP, which is more code
 * @param serverWindow how long a measurement takes after that
 * @param serverWindows measurements of each server in a round
 * @param turnWarmUp passes that are not counted, where peers take turns
 * @param turns passes of each peer in a round
 */
public record Pace(
        int jmhRounds,
        int memoryRounds,
        int timerRounds,
        int serverRounds,
        Duration echoWarmUp,
        Duration httpWarmUp,
        Duration serverWindow,
        int serverWindows,
        int turnRounds,
        int turnWarmUp,
        int turns) {

    public static final Pace QUICK =
            new Pace(2, 1, 1, 1, Duration.ofSeconds(2), Duration.ofSeconds(8), Duration.ofMillis(300), 10, 1, 3, 10);
    public static final Pace FULL =
            new Pace(5, 2, 5, 2, Duration.ofSeconds(4), Duration.ofSeconds(30), Duration.ofMillis(300), 30, 2, 10, 40);
}

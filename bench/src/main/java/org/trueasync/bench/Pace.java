package org.trueasync.bench;

import java.time.Duration;

/**
 * How many rounds the suites make, and how long they take.
 *
 * <p>In a round of a JMH suite there is one fork for each benchmark and peer. In a round of another suite the processes
 * of each peer are started once. Servers are measured in short windows, in turn.
 *
 * @param jmhRounds rounds of each JMH suite
 * @param memoryRounds rounds of the suite {@code memory}
 * @param timerRounds rounds of the suites {@code timers} and {@code sleep}
 * @param serverRounds rounds of each suite of servers
 * @param echoWarmUp how long a fresh echo server warms up on both cpus before it is pinned
 * @param httpWarmUp how long a server of HTTP does that; it has more code
 * @param serverWindow how long a window takes, after that
 * @param serverWindows windows of each server in a round
 * @param turnRounds rounds of each suite whose peers take turns pass by pass
 * @param turnWarmUp passes of each peer in a round that are not counted
 * @param turns passes of each peer in a round that are counted
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

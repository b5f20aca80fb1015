package org.trueasync.bench;

/** Who takes part; the columns of the table. */
public enum Peer {
    OURS("ours"),
    OURS_ON_NIO("ours on NIO"),
    OURS_BY_DELAY("our delay"),
    FLOOR("floor"),
    VIRTUAL_THREADS("virtual threads"),
    PLATFORM_THREADS("platform threads"),
    KOTLIN("Kotlin"),
    COMPLETABLE_FUTURE("CompletableFuture"),
    JOX("jox"),
    HIKARI("HikariCP"),
    COMMONS_POOL("commons-pool2"),
    STORMPOT("Stormpot"),
    VIBUR("vibur"),
    NETTY_NIO("Netty NIO"),
    NETTY_EPOLL("Netty epoll");

    public final String title;

    Peer(String title) {
        this.title = title;
    }
}

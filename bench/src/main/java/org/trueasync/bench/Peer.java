package org.trueasync.bench;

/** The libraries that take part; the columns of the table. */
public enum Peer {
    OURS("ours"),
    OURS_BEFORE("ours before"),
    OURS_ON_NIO("ours on NIO"),
    OURS_ON_ONE_CORE("ours on one core"),
    OURS_BY_DELAY("our delay"),
    OURS_BY_TCP_STREAM("our TcpStream"),
    OURS_UNSCRAPED("ours, not scraped"),
    OURS_UNMETERED("ours without meters"),
    OURS_NOT_RESET("ours, sessions not reset"),
    FLOOR("floor"),
    C("C, epoll"),
    VIRTUAL_THREADS("virtual threads"),
    PLATFORM_THREADS("platform threads"),
    KOTLIN("Kotlin"),
    COMPLETABLE_FUTURE("CompletableFuture"),
    JOX("jox"),
    HIKARI("HikariCP"),
    COMMONS_POOL("commons-pool2"),
    STORMPOT("Stormpot"),
    VIBUR("vibur"),
    ENGINE("Hazelcast"),
    HELIDON("Helidon"),
    NETTY_NIO("Netty NIO"),
    NETTY_EPOLL("Netty epoll");

    public final String title;

    Peer(String title) {
        this.title = title;
    }

    /** Returns the peer whose code this one runs: ours, for another state of our code. */
    public Peer code() {
        return this == OURS_BEFORE ? OURS : this;
    }

    /** True for each variant of this library. */
    public boolean isOurs() {
        return switch (this) {
            case OURS,
                    OURS_BEFORE,
                    OURS_ON_NIO,
                    OURS_ON_ONE_CORE,
                    OURS_BY_DELAY,
                    OURS_BY_TCP_STREAM,
                    OURS_UNSCRAPED,
                    OURS_UNMETERED,
                    OURS_NOT_RESET -> true;
            default -> false;
        };
    }
}

package org.trueasync.bench.workload;

import org.trueasync.bench.Peer;
import org.trueasync.bench.peer.BareEvents;
import org.trueasync.bench.peer.CommonsPool;
import org.trueasync.bench.peer.CompletableFutures;
import org.trueasync.bench.peer.CompletedFuture;
import org.trueasync.bench.peer.ContextLookUp;
import org.trueasync.bench.peer.HikariConnections;
import org.trueasync.bench.peer.JoxChannels;
import org.trueasync.bench.peer.KotlinChannels;
import org.trueasync.bench.peer.KotlinCoroutines;
import org.trueasync.bench.peer.PlatformThreads;
import org.trueasync.bench.peer.RawContinuations;
import org.trueasync.bench.peer.RawHandover;
import org.trueasync.bench.peer.RawPool;
import org.trueasync.bench.peer.ScopedValueLookUp;
import org.trueasync.bench.peer.Stormpot;
import org.trueasync.bench.peer.TrueAsync;
import org.trueasync.bench.peer.TrueAsyncChannels;
import org.trueasync.bench.peer.TrueAsyncCores;
import org.trueasync.bench.peer.TrueAsyncPool;
import org.trueasync.bench.peer.TrueAsyncThreads;
import org.trueasync.bench.peer.ViburPool;
import org.trueasync.bench.peer.VirtualThreadChannels;
import org.trueasync.bench.peer.VirtualThreads;
import org.trueasync.bench.peer.VolatileRead;

/** Finds the class that does a workload for a peer. Only the class that is asked for is loaded. */
public final class Workloads {

    private Workloads() {}

    public static Coroutines coroutines(Peer peer) {
        return switch (peer) {
            case OURS, OURS_BY_DELAY -> new TrueAsync();
            case FLOOR -> new RawContinuations();
            case VIRTUAL_THREADS -> new VirtualThreads();
            case KOTLIN -> new KotlinCoroutines();
            default -> throw none(peer);
        };
    }

    public static AwaitDone awaitDone(Peer peer) {
        return switch (peer) {
            case OURS -> new TrueAsync();
            case FLOOR -> new VolatileRead();
            case KOTLIN -> new KotlinCoroutines();
            case COMPLETABLE_FUTURE -> new CompletedFuture();
            default -> throw none(peer);
        };
    }

    public static Channels channels(Peer peer) {
        return switch (peer) {
            case OURS -> new TrueAsyncChannels();
            case FLOOR -> new RawHandover();
            case VIRTUAL_THREADS -> new VirtualThreadChannels();
            case KOTLIN -> new KotlinChannels();
            case JOX -> new JoxChannels();
            default -> throw none(peer);
        };
    }

    public static AwaitMany awaitMany(Peer peer) {
        return switch (peer) {
            case OURS -> new TrueAsync();
            case KOTLIN -> new KotlinCoroutines();
            case COMPLETABLE_FUTURE -> new CompletableFutures();
            default -> throw none(peer);
        };
    }

    public static LookUp lookUp(Peer peer) {
        return switch (peer) {
            case OURS -> new ContextLookUp();
            case VIRTUAL_THREADS -> new ScopedValueLookUp();
            default -> throw none(peer);
        };
    }

    public static Threads threads(Peer peer) {
        return switch (peer) {
            case OURS -> new TrueAsyncThreads();
            case PLATFORM_THREADS -> new PlatformThreads();
            default -> throw none(peer);
        };
    }

    public static HandOvers handOvers(Peer peer) {
        return switch (peer) {
            case OURS -> new TrueAsyncCores();
            case FLOOR -> new BareEvents();
            default -> throw none(peer);
        };
    }

    public static Pools pools(Peer peer) {
        return switch (peer) {
            case OURS -> new TrueAsyncPool();
            case FLOOR -> new RawPool();
            case HIKARI -> new HikariConnections();
            case COMMONS_POOL -> new CommonsPool();
            case STORMPOT -> new Stormpot();
            case VIBUR -> new ViburPool();
            default -> throw none(peer);
        };
    }

    public static Owned owned(Peer peer) {
        return switch (peer) {
            case OURS -> new TrueAsync();
            case KOTLIN -> new KotlinCoroutines();
            case VIRTUAL_THREADS -> new VirtualThreads();
            case COMPLETABLE_FUTURE -> new CompletableFutures();
            default -> throw none(peer);
        };
    }

    private static IllegalArgumentException none(Peer peer) {
        return new IllegalArgumentException(peer.title + " has no part in this workload");
    }
}

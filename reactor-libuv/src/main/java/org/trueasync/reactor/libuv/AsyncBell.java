package org.trueasync.reactor.libuv;

/** libuv's own wake-up, {@code uv_async_t}; for systems without {@code eventfd}. */
final class AsyncBell implements Bell {
    private final long async;

    AsyncBell(UvReactor reactor) {
        async = reactor.block(UvLayouts.ASYNC_SIZE);
    }

    @Override
    public int open(long loop) {
        return Uv.asyncInit(loop, async, 0);
    }

    @Override
    public void ring() {
        Uv.asyncSend(async);
    }

    @Override
    public void close() {
        Uv.close(async, 0);
    }
}

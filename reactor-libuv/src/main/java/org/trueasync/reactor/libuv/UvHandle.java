package org.trueasync.reactor.libuv;

import org.trueasync.InputOutputException;

/** What all handles share: one native block, a number in the loop's table, and how they are closed. */
abstract class UvHandle {
    /*
     * Life: constructor (block allocated, in the table) -> open -> close(), once, which is uv_close -> nativeClosed()
     * in a later turn: block freed, out of the table. `closed` is checked before every native call, so libuv never gets
     * a handle after its uv_close. `address` stays valid until nativeClosed(), as libuv itself uses it until then.
     */
    final UvReactor reactor;
    /** Stored in the native handle and its requests; see {@link HandleTable}. */
    final long id;
    /** The native block, which begins with the handle. */
    final long address;

    private boolean closed;

    /**
     * Makes a handle that is in the table but not initialised; then either {@link #opened} or {@link #discard} must
     * follow.
     *
     * @param size of the native block
     */
    UvHandle(UvReactor reactor, long size) {
        this.reactor = reactor;
        address = NativeMemory.allocate(size);
        id = reactor.handles.add(this);
    }

    /** Called when the native handle is initialised: stores the number in it. */
    final void opened() {
        NativeMemory.setLong(address + UvLayouts.DATA, id);
    }

    /** Frees the block of a handle that could not be initialised, which libuv does not know. */
    final void discard() {
        closed = true;
        forget();
    }

    public final boolean isClosed() {
        return closed;
    }

    public void close() {
        if (closed) return;
        reactor.requireLoopThread("close");
        closed = true;
        beforeClose();
        Uv.close(address, Upcalls.CLOSED);
        reactor.descriptorFreed();
    }

    /** Called once, before the native handle is closed. */
    void beforeClose() {}

    /** Called when libuv does not use the handle any more. */
    void nativeClosed() {
        forget();
    }

    /** Called when a descriptor is ready; only for handles that poll. */
    void polled(int status, int events) {
        throw new IllegalStateException(
                "Bug in TrueAsync: poll callback of " + getClass().getSimpleName() + "; please report this trace");
    }

    private void forget() {
        reactor.handles.remove(id);
        NativeMemory.free(address);
    }

    /** Throws if the handle is closed; for calls that can't return an error. */
    final void requireOpen(String operation) {
        if (closed) throw new InputOutputException(operation + ": " + UvErrors.CLOSED, UvErrors.CLOSED.errno());
    }
}

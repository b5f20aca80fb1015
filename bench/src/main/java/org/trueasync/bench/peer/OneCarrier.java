package org.trueasync.bench.peer;

/** Two virtual threads side by side on the one carrier that {@code JvmFlags} leaves. */
final class OneCarrier {

    interface Side {
        void run() throws InterruptedException;
    }

    private OneCarrier() {}

    static void run(Side first, Side second) {
        var failure = new Throwable[1];
        Thread one = start(first, failure);
        Thread two = start(second, failure);
        try {
            one.join();
            two.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a workload", e);
        }
        if (failure[0] != null) throw new IllegalStateException("the workload failed", failure[0]);
    }

    private static Thread start(Side side, Throwable[] failure) {
        return Thread.startVirtualThread(() -> {
            try {
                side.run();
            } catch (Throwable e) {
                failure[0] = e;
            }
        });
    }
}

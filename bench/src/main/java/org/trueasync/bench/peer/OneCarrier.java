package org.trueasync.bench.peer;

/** Virtual threads side by side on the one carrier that {@code JvmFlags} leaves. */
final class OneCarrier {

    interface Side {
        void run() throws Exception;
    }

    private OneCarrier() {}

    static void run(Side... sides) {
        var failure = new Throwable[1];
        var threads = new Thread[sides.length];
        for (int i = 0; i < sides.length; i++) threads[i] = start(sides[i], failure);
        try {
            for (Thread thread : threads) thread.join();
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

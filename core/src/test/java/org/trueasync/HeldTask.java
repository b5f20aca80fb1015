package org.trueasync;

import java.util.concurrent.CountDownLatch;

/** A task of a pool: once it has begun, its worker's thread waits in it until the test lets it go. */
final class HeldTask {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);

    String hold(String value) throws InterruptedException {
        begun.countDown();
        go.await();
        return value;
    }
}

package org.trueasync.cluster;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests of one class share two members. */
abstract class PairTest {
    static Pair pair;

    @BeforeAll
    static void join() throws Exception {
        pair = Pair.start();
    }

    @AfterAll
    static void leave() throws Exception {
        pair.close();
    }
}

package org.trueasync.bench.growth;

import java.util.List;
import java.util.function.Consumer;

/** The order in which elements are released: neither first nor last come alone. */
final class Released {

    private Released() {}

    /** Releases every other element from the first one on, then what is left, from the last one back. */
    static <T> void mixed(List<T> all, Consumer<? super T> release) {
        for (int i = 0; i < all.size(); i += 2) release.accept(all.get(i));
        for (int i = (all.size() - 1 | 1) - (all.size() & 1) * 2; i > 0; i -= 2) release.accept(all.get(i));
    }
}

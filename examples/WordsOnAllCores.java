// Counts words on all processors: each core reads some of the lines, and each word has a core that counts it.
//
//   trueasync run WordsOnAllCores.java
import static org.trueasync.Async.*;

import java.util.*;
import org.trueasync.*;

/** What never changes may be seen by all cores. */
static final List<String> LINES = List.of(
        "the quick brown fox jumps over the lazy dog",
        "the dog sleeps and the fox runs",
        "a quick dog is a happy dog",
        "over and over the fox jumps");

/** Plain maps: only the core that owns a word changes its count. */
static final PerCore<Map<String, Integer>> COUNTS = PerCore.of(HashMap::new);

void main() {
    Cores.builder().run(() -> {
        var cores = Cores.current();
        for (int i = cores.index(); i < LINES.size(); i += cores.count())
            for (String word : LINES.get(i).split(" ")) cores.onOwnerOf(word, () -> count(word));
        if (cores.index() > 0) {
            finished.send(true);
            return; // it goes on counting for the others
        }
        for (int i = 1; i < cores.count(); i++) finished.receive();
        // A copy crosses, not the map itself. Each word is in one of the copies.
        Map<String, Integer> all = COUNTS.reduce(TreeMap::new, (a, b) -> {
            a.putAll(b);
            return a;
        });
        all.forEach((word, count) -> IO.println(count + " " + word));
    });
}

final ThreadChannel<Boolean> finished = new ThreadChannel<>(1);

void count(String word) {
    COUNTS.get().merge(word, 1, Integer::sum);
}

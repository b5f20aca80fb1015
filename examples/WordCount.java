// Counts the words of sixty chapters, on all members of a cluster. Alone it does all of it:
//
//     bin/trueasync run examples/WordCount.java
//
// With helpers, each in a terminal of its own, on this machine:
//
//     export TRUEASYNC_CLUSTER_MEMBERS=127.0.0.1
//     bin/trueasync run examples/WordCount.java helper
//     bin/trueasync run examples/WordCount.java helper
//     bin/trueasync run examples/WordCount.java 3
//
// The last one waits for three members, and gives out the work. Kill a helper meanwhile: the others count its chapters.

import static org.trueasync.Async.*;

import org.trueasync.TaskGroup;
import org.trueasync.cluster.Cluster;
import org.trueasync.cluster.RepeatableTask;

static final int CHAPTERS = 60;
static final String[] WORDS = {"sea", "ship", "whale", "captain", "harpoon", "storm", "sail"};

/** The cluster as this member sees it, for the tasks that run here. */
static Cluster cluster;

/** What one member has found in one chapter. */
record Found(String by, Map<String, Integer> words) implements Serializable {}

/** Counting twice gives the same as counting once, so the task may be repeated. */
record Count(int chapter) implements RepeatableTask<Found> {
    @Override
    public Found call() {
        var words = new TreeMap<String, Integer>();
        for (String page : text(chapter)) {
            delay(5); // a page is read
            for (String word : page.split(" ")) words.merge(word, 1, Integer::sum);
        }
        return new Found(cluster.self().address(), words);
    }
}

/** A chapter's forty pages; every run of the program writes the same. */
static List<String> text(int chapter) {
    var random = new Random(chapter);
    var pages = new ArrayList<String>();
    for (int page = 0; page < 40; page++) {
        var words = new StringJoiner(" ");
        for (int i = 0; i < 250; i++) words.add(WORDS[random.nextInt(WORDS.length)]);
        pages.add(words.toString());
    }
    return pages;
}

void main(String[] arguments) {
    cluster = Cluster.join();
    if (arguments.length > 0 && arguments[0].equals("helper")) {
        IO.println("helping at " + cluster.self());
        cluster.awaitClosed();
        return;
    }
    int members = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1;
    cluster.awaitMembers(members);
    IO.println("members: " + cluster.members());

    var words = new TreeMap<String, Integer>();
    var shares = new TreeMap<String, Integer>();
    // eight chapters under way for each member
    try (var group = new TaskGroup<Found>(8 * members)) {
        for (int chapter = 0; chapter < CHAPTERS; chapter++) {
            int number = chapter;
            group.spawn(() -> cluster.submit(new Count(number)).await());
        }
        for (Found found : group.all().await().values()) {
            shares.merge(found.by(), 1, Integer::sum);
            found.words().forEach((word, count) -> words.merge(word, count, Integer::sum));
        }
    }
    shares.forEach((member, chapters) -> IO.println(member + " has counted " + chapters + " chapters"));
    IO.println(words);
    IO.println("words: " + words.values().stream().mapToInt(n -> n).sum() + " of " + CHAPTERS * 40 * 250);
}

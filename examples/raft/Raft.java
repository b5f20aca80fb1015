package raft;

import static org.trueasync.Async.*;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.trueasync.Completable;
import org.trueasync.Latch;
import org.trueasync.OperationCanceledException;
import org.trueasync.Scope;

/**
 * The algorithm: D. Ongaro and J. Ousterhout, "In Search of an Understandable Consensus Algorithm" (2014), figures 2
 * and 13, and the dissertation's sessions and read index.
 *
 * <p>Many coroutines share this object without a lock: they switch only where they wait. So after each wait they ask
 * whether this node still leads, and in the same term.
 */
final class Raft {
    private enum Role {
        FOLLOWER,
        CANDIDATE,
        LEADER
    }

    private static final Duration HEARTBEAT = Duration.ofMillis(50);
    private static final Duration CALL = Duration.ofMillis(150);
    private static final int ELECTION_MILLIS = 250;
    private static final int SNAPSHOT_EVERY = 16;
    private static final int BATCH = 8;

    /** What a leader knows of a node, itself too. */
    private static final class Progress {
        long next;
        /** Its log is the leader's up to this entry, on its disk. */
        long match;
        /** The last round of heartbeats that it has answered. */
        long confirmed;
    }

    private final String name;
    private final List<String> all;
    private final Journal journal;
    private final Scope scope;
    private final RandomGenerator random;
    private final Store store = new Store();
    private final Map<String, Progress> progress = new TreeMap<>();

    private Role role = Role.FOLLOWER;
    private String leader = "";
    /** The last entry that is committed, and applied. */
    private long commit;
    /** Counts the signs of life of a leader, and the votes given. */
    private long heard;
    /** Counts the rounds of heartbeats. */
    private long round;

    private Latch changed = new Latch(1);

    Raft(String name, List<String> all, Journal journal, Scope scope, RandomGenerator random) {
        this.name = name;
        this.all = all;
        this.journal = journal;
        this.scope = scope;
        this.random = random;
        commit = journal.snapshotIndex();
        store.load(journal.snapshot());
    }

    /** Answers a node or a client. */
    Frame answer(Frame request) {
        return switch (request.text(0)) {
            case "vote" -> onVote(request);
            case "append" -> onAppend(request);
            case "snapshot" -> onSnapshot(request);
            default -> onClient(request);
        };
    }

    // ---- waiting

    private void signal() {
        Latch before = changed;
        changed = new Latch(1);
        before.countDown();
    }

    /** False if the time is over. */
    private boolean awaitChange(Completable<?> limit) {
        try {
            changed.await(limit);
            return true;
        } catch (OperationCanceledException late) {
            return false;
        }
    }

    private boolean leads(long term) {
        return role == Role.LEADER && journal.term() == term;
    }

    // ---- elections

    /** Calls an election whenever no leader was heard for a while. */
    void watch() {
        while (true) {
            long before = heard;
            delay(ELECTION_MILLIS + random.nextInt(ELECTION_MILLIS));
            if (heard == before && role != Role.LEADER) elect();
        }
    }

    private void elect() {
        role = Role.CANDIDATE;
        leader = "";
        journal.vote(journal.term() + 1, name);
        long term = journal.term();
        journal.sync();
        if (!isCandidate(term)) return;
        long last = journal.lastIndex();
        var request = Frame.of("vote", term, name, last, journal.termOf(last));
        int[] votes = {1};
        if (isMajority(votes[0])) lead(term);
        for (String other : all) {
            if (other.equals(name)) continue;
            scope.launch(() -> {
                try (var link = new Link(other)) {
                    Frame answer = link.call(request, CALL);
                    if (answer == null) return;
                    if (answer.number(0) > journal.term()) stepDown(answer.number(0));
                    else if (isCandidate(term) && answer.text(1).equals("yes") && isMajority(++votes[0])) lead(term);
                }
            });
        }
    }

    private boolean isCandidate(long term) {
        return role == Role.CANDIDATE && journal.term() == term;
    }

    private boolean isMajority(int count) {
        return count > all.size() / 2;
    }

    private Frame onVote(Frame request) {
        long term = request.number(1);
        String candidate = request.text(2);
        if (term > journal.term()) stepDown(term);
        long last = journal.lastIndex();
        long lastTerm = journal.termOf(last);
        boolean hasAll =
                request.number(4) > lastTerm || request.number(4) == lastTerm && request.number(3) >= last;
        boolean isFree = journal.votedFor().isEmpty() || journal.votedFor().equals(candidate);
        boolean granted = term == journal.term() && isFree && hasAll;
        if (granted) {
            journal.vote(term, candidate);
            heard++;
        }
        var answer = Frame.of(journal.term(), granted ? "yes" : "no");
        journal.sync();
        return answer;
    }

    private void stepDown(long term) {
        if (term > journal.term()) journal.vote(term, "");
        role = Role.FOLLOWER;
        leader = "";
        signal();
    }

    // ---- the leader

    private void lead(long term) {
        role = Role.LEADER;
        leader = name;
        for (String each : all) {
            var start = new Progress();
            start.next = journal.lastIndex() + 1;
            progress.put(each, start);
        }
        progress.get(name).confirmed = Long.MAX_VALUE;
        // Only with an entry of its own term can it commit, and so know, what the terms before have left.
        journal.append(journal.lastIndex() + 1, Entry.none(term));
        for (String each : all) scope.launch(() -> {
            if (each.equals(name)) keep(term);
            else replicate(each, term);
        });
    }

    /** The leader's own copy counts as any other: once it is on the disk. */
    private void keep(long term) {
        while (leads(term)) {
            long last = journal.lastIndex();
            if (last == progress.get(name).match) {
                changed.await();
                continue;
            }
            journal.sync();
            if (!leads(term)) return;
            progress.get(name).match = last;
            advance();
        }
    }

    private void replicate(String other, long term) {
        Progress known = progress.get(other);
        try (var link = new Link(other)) {
            while (leads(term)) {
                long asked = round;
                Frame answer = link.call(news(known, term), CALL);
                if (!leads(term)) return;
                if (answer == null) {
                    delay(HEARTBEAT);
                    continue;
                }
                if (answer.number(0) > term) {
                    stepDown(answer.number(0));
                    return;
                }
                known.confirmed = asked;
                known.next = answer.number(2) + 1;
                if (answer.text(1).equals("yes")) known.match = Math.max(known.match, answer.number(2));
                advance();
                signal();
                var beat = timeout(HEARTBEAT);
                while (leads(term) && known.next > journal.lastIndex() && round == asked && awaitChange(beat)) {}
            }
        }
    }

    /** The entries that the other node lacks; none is a heartbeat. If they are gone here, the snapshot. */
    private Frame news(Progress known, long term) {
        if (known.next <= journal.snapshotIndex())
            return Frame.of("snapshot", term, name, journal.snapshotIndex(), journal.snapshotTerm())
                    .with(journal.snapshot());
        long before = known.next - 1;
        var news = Frame.of("append", term, name, before, journal.termOf(before), commit);
        for (long i = known.next; i <= Math.min(journal.lastIndex(), before + BATCH); i++)
            news = news.with(journal.entry(i).fields());
        return news;
    }

    /** Commits what a majority has, if the last of it is of this term: earlier ones could still be replaced. */
    private void advance() {
        long[] matches =
                progress.values().stream().mapToLong(each -> each.match).sorted().toArray();
        long had = matches[(matches.length - 1) / 2];
        if (had > commit && journal.termOf(had) == journal.term()) commit(had);
    }

    private void commit(long index) {
        while (commit < index) store.apply(journal.entry(++commit));
        if (commit - journal.snapshotIndex() >= SNAPSHOT_EVERY)
            journal.snapshot(commit, journal.termOf(commit), store.save());
        signal();
    }

    // ---- followers

    /** Answers with the last entry that both have for certain, and "no" if more has to be sent from there on. */
    private Frame onAppend(Frame request) {
        long term = request.number(1);
        if (term < journal.term()) return late();
        follow(term, request.text(2));
        long before = request.number(3);
        boolean fits = before < journal.snapshotIndex()
                || before <= journal.lastIndex() && journal.termOf(before) == request.number(4);
        if (!fits) {
            var answer = Frame.of(term, "no", commit);
            journal.sync();
            return answer;
        }
        List<String> fields = request.from(6);
        long last = before + fields.size() / Entry.FIELDS;
        for (long i = Math.max(before, journal.snapshotIndex()) + 1; i <= last; i++) {
            int at = (int) (i - before - 1) * Entry.FIELDS;
            var entry = Entry.of(fields.subList(at, at + Entry.FIELDS));
            if (i > journal.lastIndex() || journal.termOf(i) != entry.term()) journal.append(i, entry);
        }
        commit(Math.min(request.number(5), last));
        journal.sync();
        return Frame.of(term, "yes", last);
    }

    private Frame onSnapshot(Frame request) {
        long term = request.number(1);
        if (term < journal.term()) return late();
        follow(term, request.text(2));
        long index = request.number(3);
        if (index > commit) {
            journal.snapshot(index, request.number(4), List.copyOf(request.from(5)));
            store.load(journal.snapshot());
            commit = index;
            signal();
        }
        journal.sync();
        return Frame.of(term, "yes", index);
    }

    private void follow(long term, String from) {
        if (term > journal.term() || role != Role.FOLLOWER) stepDown(term);
        leader = from;
        heard++;
    }

    private Frame late() {
        var answer = Frame.of(journal.term(), "no", 0);
        journal.sync();
        return answer;
    }

    // ---- clients

    private Frame onClient(Frame request) {
        long term = journal.term();
        if (!leads(term)) return elsewhere();
        return request.text(3).equals("get") ? read(request.text(4), term) : change(request, term);
    }

    private Frame elsewhere() {
        return Frame.of("elsewhere", leader);
    }

    private Frame change(Frame request, long term) {
        String client = request.text(1);
        long number = request.number(2);
        long index = journal.lastIndex() + 1;
        var entry = new Entry(
                term, client, number, request.text(3), request.text(4), request.text(5), request.text(6));
        journal.append(index, entry);
        signal();
        while (leads(term) && commit < index) changed.await();
        String answer = leads(term) ? store.answer(client, number) : null;
        return answer == null ? elsewhere() : Frame.of("ok", answer);
    }

    /** What is committed now is read once a majority has said, after now, that nobody else leads. */
    private Frame read(String key, long term) {
        while (leads(term) && journal.termOf(commit) != term) changed.await();
        long mine = ++round;
        signal();
        while (leads(term) && !isConfirmed(mine)) changed.await();
        return leads(term) ? Frame.of("ok", store.get(key)) : elsewhere();
    }

    private boolean isConfirmed(long number) {
        return isMajority((int) progress.values().stream()
                .filter(each -> each.confirmed >= number)
                .count());
    }
}

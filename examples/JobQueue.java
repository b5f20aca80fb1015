// A queue of jobs that survive whoever has submitted them, and whoever is at work on them. Alone it submits twenty
// jobs, does them and prints their results:
//
//     bin/trueasync run examples/JobQueue.java 20
//
// With workers, each in a terminal of its own, on this machine:
//
//     export TRUEASYNC_CLUSTER_MEMBERS=127.0.0.1
//     bin/trueasync run examples/JobQueue.java
//     bin/trueasync run examples/JobQueue.java
//     bin/trueasync run examples/JobQueue.java 500
//
// Kill a worker: the others do its jobs. Kill the last program: its jobs are done all the same, and this one submits
// none and prints the results:
//
//     bin/trueasync run examples/JobQueue.java 0

import static org.trueasync.Async.*;

import org.trueasync.Coroutine;
import org.trueasync.cluster.Cluster;
import org.trueasync.cluster.ClusterMap;
import org.trueasync.cluster.ClusterMember;

static final int AT_ONCE = 3;

static Cluster cluster;
static ClusterMap<String, Job> jobs;

/** The right to do a job, once. It ends with the job, or when its member is no member any more. */
record Lease(UUID member, UUID attempt) implements Serializable {}

/** A job. Its lease is null until somebody takes it; its result is null until it is done. */
record Job(String text, Lease lease, String result) implements Serializable {
    boolean isFree() {
        return result == null && (lease == null || cluster.members().stream().noneMatch(this::isHeldBy));
    }

    private boolean isHeldBy(ClusterMember member) {
        return member.id().equals(lease.member());
    }
}

/**
 * Takes a job; false if another worker was faster. The function runs on the member that owns the entry. If that dies,
 * it may run once more on another one. It then finds its own lease, and the answer is still true.
 */
static boolean take(String key, Job seen, Lease mine) {
    Job now = jobs.compute(key, (id, job) -> seen.equals(job) ? new Job(job.text(), mine, null) : job);
    return now != null && mine.equals(now.lease());
}

/** Marks a job as done; false if others have given this member up meanwhile, and the job has gone to another one. */
static boolean finish(String key, Lease mine, String result) {
    Job now = jobs.compute(
            key, (id, job) -> job != null && mine.equals(job.lease()) ? new Job(job.text(), mine, result) : job);
    return now != null && mine.equals(now.lease());
}

/** The work itself. It may be done twice: its worker may die after the work, before it has marked the job. */
static String run(String text) {
    try {
        delay(200);
        return text.toUpperCase(Locale.ROOT);
    } catch (RuntimeException e) {
        return "failed: " + e; // without a result, the job would stay with this member for ever
    }
}

static void work() {
    while (true) {
        for (String key : jobs.keys()) {
            Job job = jobs.get(key);
            if (job == null || !job.isFree()) continue;
            var mine = new Lease(cluster.self().id(), UUID.randomUUID());
            if (!take(key, job, mine)) continue;
            IO.println("begins " + key);
            IO.println((finish(key, mine, run(job.text())) ? "has done " : "has lost ") + key);
        }
        delay(500);
    }
}

/** Prints results until there is no job left, whoever has submitted them. */
static void collect() {
    boolean all = false;
    while (!all) {
        all = true;
        for (String key : jobs.keys()) {
            Job job = jobs.get(key);
            if (job == null) continue;
            if (job.result() == null) {
                all = false;
            } else {
                IO.println("result " + job.result()); // first, so that none is lost
                jobs.remove(key);
            }
        }
        delay(100);
    }
}

void main(String[] arguments) {
    cluster = Cluster.join();
    jobs = cluster.map("jobs");
    IO.println("joined as one of " + cluster.members().size());
    var workers = new ArrayList<Coroutine<?>>();
    for (int i = 0; i < AT_ONCE; i++) workers.add(spawn(() -> work()));
    if (arguments.length == 0) {
        cluster.awaitClosed();
        return;
    }
    int count = Integer.parseInt(arguments[0]);
    for (int i = 1; i <= count; i++) jobs.set(UUID.randomUUID().toString(), new Job("whale " + i, null, null));
    IO.println("has submitted " + count);
    collect();
    for (Coroutine<?> worker : workers) worker.cancel();
}

package org.trueasync.bench.peer

import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.yield
import org.openjdk.jmh.infra.Blackhole
import org.trueasync.bench.workload.AwaitDone
import org.trueasync.bench.workload.AwaitMany
import org.trueasync.bench.workload.Coroutines
import org.trueasync.bench.workload.Counter
import org.trueasync.bench.workload.HeapProbe
import org.trueasync.bench.workload.MemoryWarmUp
import org.trueasync.bench.workload.Owned
import org.trueasync.bench.workload.SleepSchedule

/** kotlinx.coroutines on one thread: everything under `runBlocking`, whose event loop is the calling thread. */
class KotlinCoroutines : Coroutines, AwaitDone, AwaitMany, Owned {

    override fun switches(coroutines: Int, rounds: Int): Long {
        val counter = Counter()
        runBlocking {
            repeat(coroutines) {
                launch {
                    repeat(rounds) {
                        counter.value++
                        yield()
                    }
                }
            }
        }
        return counter.value
    }

    override fun spawnAll(count: Int): Long {
        val counter = Counter()
        runBlocking {
            val spawned = ArrayList<Deferred<Unit>>(count)
            repeat(count) { spawned.add(async { bump(counter) }) }
            for (coroutine in spawned) coroutine.await()
        }
        return counter.value
    }

    override fun spawnOneByOne(count: Int): Long {
        val counter = Counter()
        runBlocking {
            repeat(count) { async { bump(counter) }.await() }
        }
        return counter.value
    }

    override fun sleepers(count: Int): Long {
        val counter = Counter()
        runBlocking {
            for (i in 0 until count) {
                launch {
                    delay(SleepSchedule.millis(i).toLong())
                    counter.value++
                }
            }
        }
        return counter.value
    }

    override fun suspended(count: Int, depth: Int, probe: HeapProbe): Long {
        val counter = Counter()
        runBlocking {
            repeat(MemoryWarmUp.ROUNDS) { suspendedOnce(MemoryWarmUp.crowd(count), depth, HeapProbe.NONE, Counter()) }
            suspendedOnce(count, depth, probe, counter)
        }
        return counter.value
    }

    override fun awaitDone(count: Int, results: Blackhole): Long {
        val done = CompletableDeferred<Any>("done")
        runBlocking {
            for (i in 0 until count) results.consume(measured(done))
        }
        return count.toLong()
    }

    override fun awaitAll(count: Int, rounds: Int): Long {
        val counter = Counter()
        runBlocking {
            repeat(rounds) { List(count) { async { bump(counter) } }.awaitAll() }
        }
        return counter.value
    }

    override fun group(count: Int, rounds: Int): Long {
        val counter = Counter()
        runBlocking {
            repeat(rounds) {
                counter.value += coroutineScope { List(count) { value -> async { value } }.awaitAll() }.size
            }
        }
        return counter.value
    }

    override fun scope(count: Int, rounds: Int): Long {
        val counter = Counter()
        runBlocking {
            repeat(rounds) {
                coroutineScope { repeat(count) { launch { bump(counter) } } }
            }
        }
        return counter.value
    }

    /** The nearest thing to a token: a select of what is awaited and of what ends the wait. */
    override fun sharedToken(count: Int, rounds: Int): Long {
        val counter = Counter()
        val token = CompletableDeferred<Unit>()
        runBlocking {
            repeat(rounds) {
                val waiters = ArrayList<Job>(count)
                repeat(count) {
                    waiters.add(launch {
                        val own = async { bump(counter) }
                        select<Unit> {
                            own.onAwait { }
                            token.onAwait { }
                        }
                    })
                }
                for (waiter in waiters) waiter.join()
            }
        }
        return counter.value
    }

    /** Kept out of the loop by a flag of the compiler, see `JvmFlags`. */
    private suspend fun measured(done: Deferred<Any>): Any = done.await()

    private fun bump(counter: Counter) {
        counter.value++
    }
}

private suspend fun CoroutineScope.suspendedOnce(count: Int, depth: Int, probe: HeapProbe, counter: Counter) {
    probe.before()
    val gate = Gate(count)
    val jobs = ArrayList<Job>(count)
    repeat(count) {
        jobs.add(launch {
            val reached = descend(depth, gate) // apart: what is added to must not be read before the suspension
            counter.value += reached - depth + 1
        })
    }
    while (gate.waiting < count) yield()
    probe.after()
    gate.open()
    for (job in jobs) job.join()
}

private suspend fun descend(depth: Int, gate: Gate): Int {
    if (depth == 0) {
        gate.await()
        return 0
    }
    return descend(depth - 1, gate) + 1
}

/** The leanest cancellable wait: the bare continuation in an array. */
private class Gate(count: Int) {
    private val continuations = arrayOfNulls<Continuation<Unit>>(count)
    var waiting = 0
        private set

    suspend fun await() = suspendCancellableCoroutine<Unit> { continuations[waiting++] = it }

    fun open() {
        for (continuation in continuations) continuation!!.resume(Unit)
    }
}

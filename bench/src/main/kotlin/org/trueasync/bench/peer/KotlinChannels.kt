package org.trueasync.bench.peer

import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.trueasync.bench.workload.Channels
import org.trueasync.bench.workload.Checker

/** kotlinx.coroutines' channels, on the one thread of `runBlocking`. */
class KotlinChannels : Channels {

    override fun rendezvous(items: Int): Long = buffered(items, Channel.RENDEZVOUS)

    override fun buffered(items: Int, capacity: Int): Long {
        val checker = Checker()
        runBlocking {
            val channel = Channel<Int>(capacity)
            launch {
                for (i in 0 until items) checker.take(channel.receive())
            }
            for (i in 0 until items) channel.send(Boxed.of(i))
        }
        return checker.count()
    }

    override fun pingPong(items: Int): Long {
        val checker = Checker()
        runBlocking {
            val there = Channel<Int>()
            val back = Channel<Int>()
            launch {
                for (i in 0 until items step 2) {
                    checker.take(there.receive())
                    back.send(Boxed.of(i + 1))
                }
            }
            for (i in 0 until items step 2) {
                there.send(Boxed.of(i))
                checker.take(back.receive())
            }
        }
        return checker.count()
    }
}

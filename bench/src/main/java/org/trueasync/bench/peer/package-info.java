/** The same workloads, once per peer: ours, the floor, and those we compare ourselves with. */
package org.trueasync.bench.peer;

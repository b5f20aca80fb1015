/** The same workloads, once per peer: ours, the floor, and the libraries that ours is compared with. */
package org.trueasync.bench.peer;

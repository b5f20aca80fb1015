/**
 * The same workloads, written once for each peer: this library, the floor, and the libraries with which it is compared.
 */
package org.trueasync.bench.peer;

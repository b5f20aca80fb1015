/** The work that every peer does, independent of how it is measured. */
package org.trueasync.bench.workload;

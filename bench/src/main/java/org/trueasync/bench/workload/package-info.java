/** What every peer is asked to do, with no word about how it is measured. */
package org.trueasync.bench.workload;

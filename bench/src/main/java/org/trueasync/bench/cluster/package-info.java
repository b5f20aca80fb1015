/** Tasks and values between two JVMs on one machine, beside the engine's own API on the same engine. */
package org.trueasync.bench.cluster;

/** Tasks and values between two JVMs on one machine, compared with the engine's own API on the same engine. */
package org.trueasync.bench.cluster;

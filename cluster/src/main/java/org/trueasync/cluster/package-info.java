/**
 * Programs on several machines that work as one: {@link org.trueasync.cluster.Cluster}. Members, their failure
 * detection and the data that they share are Hazelcast's, embedded; tasks and waits are coroutines.
 */
@NullMarked
package org.trueasync.cluster;

import org.jspecify.annotations.NullMarked;

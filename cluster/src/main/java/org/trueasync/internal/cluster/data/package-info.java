/**
 * What members share: the state of channels and locks, which the engine keeps on one member and copies to another, the
 * calls that change it, and their ends on this member. The state of each is one entry of a map of the engine; a call is
 * an entry processor, so it runs on the member that has the entry, one at a time.
 */
@NullMarked
package org.trueasync.internal.cluster.data;

import org.jspecify.annotations.NullMarked;

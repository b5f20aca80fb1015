/**
 * What members share: the state of channels and locks, which the engine keeps on one member and copies to another, the calls that change it, and the ends of it on this
 * member. The state of each is one entry of a map of the engine's; a call is an entry processor, so it runs where the entry is, alone.
 */
@NullMarked
package org.trueasync.internal.cluster.data;

import org.jspecify.annotations.NullMarked;

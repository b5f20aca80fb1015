/**
 * The black box: what each loop has done in its last seconds, from the {@link org.trueasync.internal.recorder.TurnRing}
 * that it writes; as a file, on request or when a limit is passed. And the accounts of single coroutines. Not here: the
 * writing of the ring, which is core's, and the drawing of it, which is the command's.
 */
@org.jspecify.annotations.NullMarked
package org.trueasync.internal.blackbox;

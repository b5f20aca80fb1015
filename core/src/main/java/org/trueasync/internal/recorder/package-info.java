/** The flight recorder's events of coroutines and pools; knows no other package of ours. */
@NullMarked
package org.trueasync.internal.recorder;

import org.jspecify.annotations.NullMarked;

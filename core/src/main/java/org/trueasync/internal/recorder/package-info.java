/** What the flight recorder gets to know of coroutines; knows no other room. */
@NullMarked
package org.trueasync.internal.recorder;

import org.jspecify.annotations.NullMarked;

/** Flight recordings as traces for a viewer: what each coroutine and each loop did, and when. */
@NullMarked
package org.trueasync.launcher.timeline;

import org.jspecify.annotations.NullMarked;

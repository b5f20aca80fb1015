/** What a runtime is built from: its settings, and a thread of its own where the caller's will not do. */
@NullMarked
package org.trueasync.internal.settings;

import org.jspecify.annotations.NullMarked;

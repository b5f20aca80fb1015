/** What a runtime is built from. */
@NullMarked
package org.trueasync.internal.settings;

import org.jspecify.annotations.NullMarked;

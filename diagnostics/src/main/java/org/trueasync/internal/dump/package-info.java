/**
 * Shows a runtime to a person: the tree of scopes and coroutines as text, also from another thread while the loop is
 * held.
 */
@NullMarked
package org.trueasync.internal.dump;

import org.jspecify.annotations.NullMarked;

/**
 * Where core finds what watches its runs; and how a runtime is shown to a person: the tree of scopes and coroutines as
 * text, also from another thread while the loop is held.
 */
@NullMarked
package org.trueasync.internal.diagnostics;

import org.jspecify.annotations.NullMarked;

/**
 * Runs of simulations as traces for viewers. Apart, as core's tests are compiled with the test kit but without this.
 */
@NullMarked
package org.trueasync.internal.testkit.timeline;

import org.jspecify.annotations.NullMarked;

/**
 * Simulations of a whole service: several hosts, a network between them, disks and faults, in virtual time.
 * {@link org.trueasync.testkit.simulation.Simulation} is the way in.
 */
@NullMarked
package org.trueasync.testkit.simulation;

import org.jspecify.annotations.NullMarked;

/**
 * Groups of tasks: the implementation behind {@link org.trueasync.TaskGroup} and {@link org.trueasync.TaskSet}. Both
 * use {@code GroupCore}, which admits, runs and settles tasks. They differ in who gets the outcomes:
 * {@code OutcomeQueries} answers any number of times, {@code Joins} hands each outcome out once.
 */
@NullMarked
package org.trueasync.internal.group;

import org.jspecify.annotations.NullMarked;

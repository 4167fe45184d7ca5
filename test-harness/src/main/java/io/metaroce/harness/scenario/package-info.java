// SPDX-License-Identifier: Apache-2.0
/**
 * Scenarios: what is built, what runs on it, what is measured and which bars it must meet, read from YAML.
 *
 * <p>Purpose: {@code metaroce sim}. Threads: cells run side by side, each on one worker, and share nothing; the result does not
 * depend on the number of workers. May depend on: harness.fabric, harness.baseline, control.cli, Jackson. Must not: let anything
 * but scenario and seed decide a measure.
 */
@NullMarked
package io.metaroce.harness.scenario;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Numbers for operators: the counters of lanes, connections and ports as Prometheus metrics, and the HTTP endpoint.
 *
 * <p>Purpose: names that never change by accident, from the same tables that the dataplane counts by. Threads: anything here
 * may be called by any thread; lanes are never made to wait. May depend on: counters, port, wrap, Micrometer, the JDK's HTTP
 * server. Must not: put a label with an unbounded set of values on a metric, export a number it cannot read, or reset one.
 */
@NullMarked
package io.metaroce.control.metrics;

import org.jspecify.annotations.NullMarked;

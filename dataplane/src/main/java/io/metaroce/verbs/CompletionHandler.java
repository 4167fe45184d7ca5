// SPDX-License-Identifier: Apache-2.0
package io.metaroce.verbs;

/** What {@link CompletionQueue#poll} calls. */
@FunctionalInterface
public interface CompletionHandler {
    /** Takes one completion; the object is reused for the next. */
    void onCompletion(WorkCompletion completion);
}

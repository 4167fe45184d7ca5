// SPDX-License-Identifier: Apache-2.0
package io.metaroce.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the requirements of the specification that a test proves; a report lists those that nobody names. */
@Documented
@Retention(RetentionPolicy.SOURCE)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Proves {
    /** Such as {@code "MOP-LOSS-1"}. */
    String[] value();
}

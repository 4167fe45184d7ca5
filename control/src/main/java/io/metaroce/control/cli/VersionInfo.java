// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What this build is.
 *
 * @param version the version in the project file
 * @param commit the abbreviated commit, or {@code unknown} in a source archive
 * @param java the version of the running Java
 * @param profile the wire profile spoken
 */
public record VersionInfo(String version, String commit, String java, String profile) {
    /** The wire profile of this implementation: MetaRoCE Open Profile, version 1. */
    public static final String PROFILE = "MOP/1";

    private static final String RESOURCE = "metaroce-version.properties";

    /** Reads the resource that the build has filled in; the launcher's property, which is newer, wins for the commit. */
    public static VersionInfo current() {
        Properties built = new Properties();
        try (InputStream in = VersionInfo.class.getResourceAsStream(RESOURCE)) {
            if (in != null) {
                built.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE + " cannot be read", e);
        }
        String commit = System.getProperty("metaroce.commit", built.getProperty("commit", "unknown"));
        return new VersionInfo(
                built.getProperty("version", "unknown"), commit, System.getProperty("java.version"), PROFILE);
    }

    @Override
    public String toString() {
        return "metaroce " + version + ", commit " + commit + ", Java " + java + ", profile " + profile;
    }
}

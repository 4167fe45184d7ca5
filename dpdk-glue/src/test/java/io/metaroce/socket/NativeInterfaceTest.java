// SPDX-License-Identifier: Apache-2.0
package io.metaroce.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is bound natively can be called safely, and lies in memory as the C compiler says. */
class NativeInterfaceTest {
    private static final int PARAMETERS_MAX = 5;

    /** Slow functions that may have more parameters, seven or more; six are corrupted by the generated stub. */
    private static final Set<String> ALLOWED = Set.of();

    /** Every interface this module binds. */
    private static final List<Class<?>> NATIVE_INTERFACES = List.of(LibC.class, io.metaroce.dpdk.Shim.class);

    @Test
    void noNativeFunctionHasMoreThanFiveParameters() {
        for (Class<?> bound : NATIVE_INTERFACES) {
            for (Method method : bound.getMethods()) {
                if (!ALLOWED.contains(method.getName())) {
                    assertThat(method.getParameterCount()).as(method.getName()).isLessThanOrEqualTo(PARAMETERS_MAX);
                }
                assertThat(method.getParameterCount()).as(method.getName()).isNotEqualTo(6);
            }
        }
    }

    @Test
    void nativeFunctionsTakeAndReturnNumbersOnly() {
        for (Class<?> bound : NATIVE_INTERFACES) {
            for (Method method : bound.getMethods()) {
                assertThat(method.getParameterTypes())
                        .as(method.getName())
                        .allMatch(t -> t == int.class || t == long.class);
                assertThat(method.getReturnType()).as(method.getName()).isIn(int.class, long.class);
            }
        }
    }

    @Test
    void everyBindingOfThisModuleIsKnownToTheseTests() throws IOException {
        Path classes = Path.of("target", "classes");
        List<String> binding = new ArrayList<>();
        try (var files = Files.walk(classes)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                if (bytes.contains("jnr/ffi/annotations/")) {
                    binding.add(file.getFileName().toString().replace(".class", ""));
                }
            }
        }
        assertThat(binding)
                .containsExactlyInAnyOrderElementsOf(
                        NATIVE_INTERFACES.stream().map(Class::getSimpleName).toList());
    }

    @Test
    void structuresAndNumbersAreThoseOfTheCompiler(@TempDir Path directory) throws Exception {
        assumeTrue(runs("gcc", "--version"), "skipped: no gcc on this host to ask");
        List<String> lines = new ArrayList<>(List.of(
                "#define _GNU_SOURCE",
                "#include <stdio.h>",
                "#include <stddef.h>",
                "#include <sys/socket.h>",
                "#include <sys/ioctl.h>",
                "#include <netinet/in.h>",
                "#include <netinet/udp.h>",
                "#include <net/if.h>",
                "#define P(name, value) printf(\"%s %lld\\n\", name, (long long) (value))",
                "int main(void) {"));
        TreeMap<String, Long> expected = new TreeMap<>();
        for (String[] row : LAYOUT) {
            lines.add("P(\"" + row[0] + "\", " + row[1] + ");");
            expected.put(row[0], constant(NativeLayout.class, row[0]));
        }
        for (Field field : NativeConstants.class.getDeclaredFields()) {
            String name = field.getName();
            String inC = name.equals("PMTUDISC_PROBE") ? "IP_PMTUDISC_PROBE" : name;
            lines.add("P(\"" + name + "\", " + inC + ");");
            expected.put(name, constant(NativeConstants.class, name));
        }
        lines.add("return 0; }");
        Path source = directory.resolve("abi.c");
        Files.write(source, lines);
        Path program = directory.resolve("abi");
        assertThat(runs("gcc", "-o", program.toString(), source.toString())).isTrue();

        Process run = new ProcessBuilder(program.toString()).start();
        TreeMap<String, Long> actual = new TreeMap<>();
        for (String line : new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList()) {
            int space = line.indexOf(' ');
            actual.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
        }

        assertThat(actual).isEqualTo(expected);
    }

    private static final String[][] LAYOUT = {
        {"MMSGHDR_BYTES", "sizeof(struct mmsghdr)"},
        {"MSG_NAME", "offsetof(struct mmsghdr, msg_hdr.msg_name)"},
        {"MSG_NAMELEN", "offsetof(struct mmsghdr, msg_hdr.msg_namelen)"},
        {"MSG_IOV", "offsetof(struct mmsghdr, msg_hdr.msg_iov)"},
        {"MSG_IOVLEN", "offsetof(struct mmsghdr, msg_hdr.msg_iovlen)"},
        {"MSG_CONTROL", "offsetof(struct mmsghdr, msg_hdr.msg_control)"},
        {"MSG_CONTROLLEN", "offsetof(struct mmsghdr, msg_hdr.msg_controllen)"},
        {"MSG_FLAGS", "offsetof(struct mmsghdr, msg_hdr.msg_flags)"},
        {"MSG_LEN", "offsetof(struct mmsghdr, msg_len)"},
        {"IOVEC_BYTES", "sizeof(struct iovec)"},
        {"IOV_BASE", "offsetof(struct iovec, iov_base)"},
        {"IOV_LEN", "offsetof(struct iovec, iov_len)"},
        {"SOCKADDR_IN_BYTES", "sizeof(struct sockaddr_in)"},
        {"SOCKADDR_FAMILY", "offsetof(struct sockaddr_in, sin_family)"},
        {"SOCKADDR_PORT", "offsetof(struct sockaddr_in6, sin6_port)"},
        {"SIN_ADDR", "offsetof(struct sockaddr_in, sin_addr)"},
        {"SOCKADDR_IN6_BYTES", "sizeof(struct sockaddr_in6)"},
        {"SIN6_ADDR", "offsetof(struct sockaddr_in6, sin6_addr)"},
        {"SIN6_SCOPE_ID", "offsetof(struct sockaddr_in6, sin6_scope_id)"},
        {"CMSGHDR_BYTES", "sizeof(struct cmsghdr)"},
        {"CMSG_LEN", "offsetof(struct cmsghdr, cmsg_len)"},
        {"CMSG_LEVEL", "offsetof(struct cmsghdr, cmsg_level)"},
        {"CMSG_TYPE", "offsetof(struct cmsghdr, cmsg_type)"},
        {"CMSG_ALIGNMENT", "CMSG_ALIGN(1)"},
        {"IFREQ_BYTES", "sizeof(struct ifreq)"},
        {"IFR_NAME_BYTES", "IFNAMSIZ"},
        {"IFR_FLAGS", "offsetof(struct ifreq, ifr_flags)"},
    };

    private static long constant(Class<?> holder, String name) throws ReflectiveOperationException {
        Field field = holder.getDeclaredField(name);
        field.setAccessible(true);
        return ((Number) field.get(null)).longValue();
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}

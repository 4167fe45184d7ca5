// SPDX-License-Identifier: Apache-2.0
package io.metaroce.control.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigRulesTest {
    @Test
    void wantsTimeToFindAPathDeadBeforeTheConnectionIsLost() {
        assertThat(problems("transport.connection_timeout=3s", "transport.rto_floor=1s"))
                .containsExactly(
                        "--set transport.connection_timeout=3s: transport.connection_timeout: \"3s\" is not allowed:"
                                + " at least 4 times transport.rto_floor (1s) is needed, so that a path can be found dead first");
    }

    @Test
    void refusesAFixedWindowThatHoldsNoPacket() {
        assertThat(problems("transport.fixed_window=4KiB"))
                .singleElement()
                .asString()
                .contains("transport.fixed_window", "smaller than transport.payload_max (8KiB)");
    }

    @Test
    void wantsAPathForEveryPort() {
        assertThat(problems("transport.paths=1", "ports[1].udp_port=6000"))
                .singleElement()
                .asString()
                .contains("fewer paths than ports (2)");
    }

    @Test
    void wantsASourcePortForEveryPathOfAPort() {
        assertThat(problems("ports[0].source_ports=4"))
                .singleElement()
                .asString()
                .contains("ports[0].source_ports: \"4\"", "fewer than the 8 paths");
    }

    @Test
    void refusesTwoPortsThatReceiveAtTheSamePlace() {
        assertThat(problems("ports[1].name=b", "lanes.count=2", "ports[1].udp_port=4796"))
                .singleElement()
                .asString()
                .contains("ports[1].udp_port", "same address and port as a lane of ports[0]");
    }

    @Test
    void refusesTwoPortsOfOneName() {
        assertThat(problems("ports[1].name=port0", "ports[1].udp_port=6000"))
                .singleElement()
                .asString()
                .contains("another port has this name");
    }

    @Test
    void refusesLanesBeyondTheLastUdpPort() {
        assertThat(problems("ports[0].udp_port=65535", "lanes.count=2"))
                .singleElement()
                .asString()
                .contains("would receive at 65536");
    }

    @Test
    void wantsOneProcessorForEachLane() {
        assertThat(problems("lanes.affinity=0-2"))
                .singleElement()
                .asString()
                .contains("names 3 processors for lanes.count 1");
        assertThat(problems("lanes.affinity=1,1", "lanes.count=2"))
                .singleElement()
                .asString()
                .contains("twice");
        assertThat(problems("lanes.affinity=3-2")).singleElement().asString().contains("names 0 processors");
    }

    @Test
    void opensTheControlChannelToOtherHostsOnlyWhenToldSoAndWarns() throws Exception {
        // MOP-CTL-23
        assertThat(problems("control.bind=0.0.0.0"))
                .singleElement()
                .asString()
                .contains("control.insecure_remote: true");

        LoadedConfig loaded = load("control.bind=::", "control.insecure_remote=true");
        assertThat(loaded.warnings()).singleElement().asString().contains("peers are not authenticated");
        assertThat(load("control.bind=::1").warnings()).isEmpty();
    }

    @Test
    void warnsThatFaultsAreOn() throws Exception {
        assertThat(load("faults=loss=1%,seed=7").warnings())
                .containsExactly("faults: packets will be damaged on purpose: loss=1%,seed=7");
    }

    @Test
    void refusesOnePortForTwoServers() {
        assertThat(problems("metrics.port=4794"))
                .singleElement()
                .asString()
                .contains("the same address and port as control.port");
    }

    private static LoadedConfig load(String... sets) throws ConfigException {
        return ConfigLoader.loadText("", "", Map.of(), List.of(sets));
    }

    private static List<String> problems(String... sets) {
        return catchThrowableOfType(ConfigException.class, () -> load(sets)).problems();
    }
}

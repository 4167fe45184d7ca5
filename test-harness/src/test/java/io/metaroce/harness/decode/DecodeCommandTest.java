// SPDX-License-Identifier: Apache-2.0
package io.metaroce.harness.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.metaroce.control.cli.ExitCode;
import io.metaroce.control.cli.Frame;
import io.metaroce.pcap.CaptureFormat;
import io.metaroce.pcap.CaptureWriter;
import io.metaroce.pcap.PacketDirection;
import io.metaroce.port.Ecn;
import io.metaroce.port.IpAddress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecodeCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void printsEveryFieldOfAWriteAndOfAnAcknowledgement() throws IOException {
        int code = decode(new TestCapture().write(256).frame().ack().frame().bytes());

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .isEqualTo(
                        "     1    0.000000000  192.0.2.1:49153 > 198.51.100.7:4795 ECT0 WRITE interface=plane0 path=3"
                                + " epoch=1 connection=0xdeadbeef sequence=4294967295 csn=12 timestamp=1000 stream=9 msn=4"
                                + " payload=256 transmit=2 address=0x7f0000001000 rkey=0x12345678 length=1048576"
                                + " flags=ack-request,retransmit crc=ok\n"
                                + "     2    0.000001500  192.0.2.1:49153 > 198.51.100.7:4795 ECT0 ACK interface=plane0 path=3"
                                + " epoch=1 connection=0xdeadbeef next=4294967294 sack=4294967295-1,5 echo=99 delayNs=1024"
                                + " cePackets=2 received=20 duplicates=1 level=17 hint=40000 nextCsn=70 credit=9:64 errors=0"
                                + " flags=sack,hint,credit crc=ok\n");
        assertThat(err.toString()).isEqualTo("2 packets, 2 MOP, 0 with a wrong CRC, 0 truncated\n");
    }

    @Test
    void guardsB98ASnapLengthThatCutsAPacketSaysTruncatedAndShowsTheHeadersThatAreThere() throws IOException {
        TestCapture capture = new TestCapture().write(1024);
        // Behind all headers; inside the operation header; inside the UDP header; inside Ethernet.
        decode(capture.frame(96).frame(80).frame(40).frame(9).bytes());

        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("WRITE ", "address=0x7f0000001000 ", "truncated, CRC not checked"),
                        line -> assertThat(line)
                                .contains("> 198.51.100.7:4795 ECT0")
                                .endsWith("truncated, CRC not checked ! truncated inside its headers"),
                        line -> assertThat(line)
                                .endsWith(
                                        "192.0.2.1 > 198.51.100.7 ECT0 interface=plane0 ! truncated inside its headers"),
                        line -> assertThat(line).endsWith("interface=plane0 ! truncated inside its headers"));
    }

    @Test
    void aPacketCutAnywhereNeverShowsAFieldThatIsNotThere() throws IOException {
        byte[] whole = new TestCapture().sendImmediate(64).frame().bytes();
        decode(whole, "--json");
        JsonNode full = new ObjectMapper().readTree(out.toString());
        TestCapture capture = new TestCapture().sendImmediate(64);
        int frameLength = 42 + 32 + 16 + 64 + 4;
        for (int length = 0; length < frameLength; length++) {
            capture.frame(length);
        }
        out.getBuffer().setLength(0);
        decode(capture.bytes(), "--json");

        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(frameLength);
        for (String line : lines) {
            JsonNode cut = new ObjectMapper().readTree(line);
            assertThat(cut.path("crc").asText("unchecked")).isEqualTo("unchecked");
            cut.properties().forEach(field -> {
                boolean isOfTheFrame = List.of("frame", "timeNs", "capturedAtNs", "crc", "problem", "src", "dst")
                        .contains(field.getKey());
                if (!isOfTheFrame) {
                    assertThat(field.getValue()).as(field.getKey()).isEqualTo(full.get(field.getKey()));
                }
            });
        }
    }

    @Test
    void aWrongChecksumIsTheVerdictAndTheFieldsAreShownAllTheSame() throws IOException {
        int code = decode(new TestCapture().write(256).flip(200).frame().bytes());

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("WRITE ", "csn=12 ", "crc=wrong\n");
        assertThat(err.toString()).startsWith("1 packets, 1 MOP, 1 with a wrong CRC");
    }

    @Test
    void whatTheParserRefusesIsNamed() throws IOException {
        TestCapture capture = new TestCapture();
        capture.raw((byte) 0x20, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0, (byte) 0)
                .frame();
        capture.raw(new byte[13]).flip(0).frame();
        capture.raw((byte) 0x10).frame();
        decode(capture.bytes());

        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).endsWith("crc=wrong ! shorter than its headers"),
                        line -> assertThat(line).endsWith("crc=wrong ! version is not 1"),
                        line -> assertThat(line).endsWith("! shorter than its headers"));
    }

    @Test
    void vlanMarkDirectionCommentAndIpv6AreShown() throws IOException {
        TestCapture capture = new TestCapture().probe(100);
        capture.builder()
                .vlan(0x8100, 42)
                .addresses(0x20010db8_00000000L, 1, 0xfe80_0000_0000_0000L, 0x0000_0001_0002_0003L)
                .trafficClass(0, Ecn.CE);
        capture.writer().direction(PacketDirection.OUTBOUND).comment("tail probe\n\u001b[31m\u202e");
        decode(capture.frame().bytes());

        assertThat(out.toString())
                .isEqualTo("     1    0.000000000  [2001:db8::1]:49153 > [fe80::1:2:3]:4795 CE PROBE interface=plane0"
                        + " direction=out vlan=42 path=1 epoch=0 connection=0x7 timestamp=5 padding=100"
                        + " flags=any-path crc=ok # tail probe  [31m \n");
    }

    @Test
    void everythingElseOnTheWireIsOneLineToo() throws IOException {
        TestCapture capture = new TestCapture().probe(0);
        capture.builder().ports(1000, 53);
        decode(capture.frame().bytes());

        assertThat(out.toString())
                .isEqualTo("     1    0.000000000  192.0.2.1:1000 > 198.51.100.7:53 ECT0 interface=plane0"
                        + " ! not MOP (UDP port 53)\n");
    }

    @Test
    void thePortCanBeChosen() throws IOException {
        TestCapture capture = new TestCapture().probe(0);
        capture.builder().ports(1000, 5000);
        byte[] bytes = capture.frame().bytes();

        decode(bytes, "--port", "5000");
        assertThat(out.toString()).contains("PROBE ");
        assertThat(decode(bytes, "--port", "70000")).isEqualTo(ExitCode.USAGE);
        assertThat(decode(bytes, "--port", "5-4")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void filtersAndCountsPrintedPackets() throws IOException {
        TestCapture capture = new TestCapture();
        for (int i = 0; i < 5; i++) {
            capture.write(256).frame().ack().frame();
        }
        decode(capture.bytes(), "--filter", "type=ack,path!=4", "-n", "2");

        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("     2 ").contains(" ACK "),
                        line -> assertThat(line).startsWith("     4 ").contains(" ACK "));
    }

    @Test
    void aFilterWithAnUnknownKeyIsWrongUsageAndNamesTheKeys() throws IOException {
        int code = decode(new TestCapture().bytes(), "--filter", "pth=3");

        assertThat(code).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).hasLineCount(1).contains("unknown key 'pth'", "path, epoch");
    }

    @Test
    void jsonIsOneObjectForEachPacketWithExactNumbers() throws IOException {
        decode(new TestCapture().write(256).frame().bytes(), "--json");

        JsonNode object = new ObjectMapper().readTree(out.toString());
        assertThat(object.get("sequence").longValue()).isEqualTo(4294967295L);
        assertThat(object.get("capturedAtNs").longValue()).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(object.get("rkey").textValue()).isEqualTo("0x12345678");
        assertThat(object.get("crc").textValue()).isEqualTo("ok");
        assertThat(out.toString()).hasLineCount(1);
    }

    @Test
    void standardInputIsReadWhenTheFileIsADash() throws IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(new TestCapture().ack().frame().bytes()));
        try {
            assertThat(run("decode", "-")).isEqualTo(ExitCode.OK);
        } finally {
            System.setIn(before);
        }
        assertThat(out.toString()).hasLineCount(1).contains(" ACK ");
    }

    @Test
    void anUnfinishedTailIsAWarning() throws IOException {
        byte[] capture = new TestCapture().ack().frame().ack().frame().bytes();
        int code = decode(Arrays.copyOf(capture, capture.length - 3));

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).hasLineCount(1);
        assertThat(err.toString()).contains("metaroce: warning: the last record is unfinished (block at byte ");
    }

    @Test
    void whatIsNoCaptureOrNotThereIsOneLineAndExitOne() throws IOException {
        assertThat(decode(new byte[0])).isEqualTo(ExitCode.FAILED);
        assertThat(run("decode", directory.resolve("absent").toString())).isEqualTo(ExitCode.FAILED);
        assertThat(run("decode", directory.toString())).isEqualTo(ExitCode.FAILED);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).endsWith(": the capture is empty (0 bytes in all)"),
                        line -> assertThat(line).endsWith("absent does not exist"),
                        line -> assertThat(line).endsWith(" is a directory; name a capture file"));
    }

    @Test
    void guardsB102AnUnknownLinkTypeIsOneClearErrorWithItsNumber() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        CaptureWriter writer = new CaptureWriter(Channels.newChannel(file), CaptureFormat.PCAP_NANO);
        writer.addInterface("", 147, 0);
        writer.write(0, 0, new UnsafeBuffer(new byte[60]), 0, 60);
        writer.write(0, 0, new UnsafeBuffer(new byte[60]), 0, 60);
        writer.flush();

        assertThat(decode(file.toByteArray())).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString()).hasLineCount(2).contains("! link type 147 is not understood");
        assertThat(err.toString()).containsOnlyOnce("metaroce: link type 147 is not understood; there are Ethernet");
    }

    @Test
    void aMissingFileArgumentIsWrongUsage() {
        assertThat(run("decode")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void ipv6AddressesAreWrittenAsRfc5952Says() {
        assertThat(AddressText.of(0, 0)).isEqualTo("::");
        assertThat(AddressText.of(0, 1)).isEqualTo("::1");
        assertThat(AddressText.of(0x20010db8_00000000L, 0x0001_0000_0000_0001L)).isEqualTo("2001:db8::1:0:0:1");
        assertThat(AddressText.of(0x20010db8_0000_0001L, 0x0001_0001_0001_0001L))
                .isEqualTo("2001:db8:0:1:1:1:1:1");
        assertThat(AddressText.of(0xfe80_0000_0000_0000L, 0)).isEqualTo("fe80::");
        assertThat(AddressText.of(0, IpAddress.mapped(0x7f000001))).isEqualTo("127.0.0.1");
    }

    private int decode(byte[] capture, String... options) throws IOException {
        Path file = directory.resolve("capture");
        Files.write(file, capture);
        String[] arguments = Arrays.copyOf(options, options.length + 2);
        System.arraycopy(options, 0, arguments, 1, options.length);
        arguments[0] = "decode";
        arguments[options.length + 1] = file.toString();
        return run(arguments);
    }

    private int run(String... arguments) {
        return Frame.of(List.of(new DecodeCommand()), new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments);
    }
}

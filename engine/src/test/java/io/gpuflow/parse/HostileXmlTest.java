package io.gpuflow.parse;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XML that somebody hands us reaches no file, opens no connection and does not blow up. */
class HostileXmlTest {
    private static final String OPEN = "<?xml version=\"1.0\" ?>\n";

    @TempDir Path folder;

    @Test
    void externalEntitiesAreNotRead() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "TOP-SECRET");
        String xml =
                OPEN
                        + "<!DOCTYPE nvidia_smi_log [<!ENTITY s SYSTEM \""
                        + secret.toUri()
                        + "\">]><nvidia_smi_log><driver_version>&s;</driver_version>"
                        + "<gpu id=\"00000000:01:00.0\"><product_name>x&s;y</product_name></gpu>"
                        + "</nvidia_smi_log>";
        NvidiaSmiXml.Reading read = parse(xml);
        assertFalse(read.toString().contains("TOP-SECRET"), read.toString());
    }

    @Test
    void aDtdIsNotFetched() {
        String xml =
                OPEN
                        + "<!DOCTYPE nvidia_smi_log SYSTEM \"http://192.0.2.1/never.dtd\">"
                        + "<nvidia_smi_log><gpu id=\"00000000:01:00.0\"></gpu></nvidia_smi_log>";
        NvidiaSmiXml.Reading read = parse(xml);
        assertFalse(read.gpus().isEmpty(), read.toString());
    }

    @Test
    void entitiesDoNotMultiply() {
        StringBuilder xml =
                new StringBuilder(OPEN + "<!DOCTYPE nvidia_smi_log [<!ENTITY a \"ha\">\n");
        String last = "a";
        for (char c = 'b'; c < 'z'; c++) {
            xml.append("<!ENTITY ").append(c).append(" \"").append(("&" + last + ";").repeat(10));
            xml.append("\">\n");
            last = String.valueOf(c);
        }
        xml.append("]><nvidia_smi_log><driver_version>&").append(last).append(";</driver_version>");
        xml.append("</nvidia_smi_log>");
        assertNotNull(parse(xml.toString()).error());
    }

    @Test
    void depthAndNumberAreLimited() {
        assertNotNull(parse(OPEN + "<nvidia_smi_log>" + "<a>".repeat(100_000)).error());
        String many = OPEN + "<nvidia_smi_log>" + "<a/>".repeat(500_000) + "</nvidia_smi_log>";
        assertNotNull(parse(many).error());
        assertNotNull(parse(OPEN + "<nvidia_smi_log>" + "x".repeat(40_000_000)).error());
    }

    private static NvidiaSmiXml.Reading parse(String xml) {
        return assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> new NvidiaSmiXml().parse(xml));
    }
}

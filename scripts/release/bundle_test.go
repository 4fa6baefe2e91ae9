package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// A bundle has what its manifest names, and the registry's entry has its checksum.
func TestABundleHasTheProgramItNames(t *testing.T) {
	for platform, want := range map[string]string{
		"linux_amd64": "server/stemma", "windows_arm64": "server/stemma.exe",
	} {
		out := pack(t, platform)
		packed := read(t, out, "stemma_1.2.3_"+platform+".mcpb")
		zr, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil || len(zr.File) != 4 || zr.File[0].Name != "manifest.json" ||
			zr.File[2].Name != "LICENSE" || zr.File[3].Name != "LICENSE.all-MiniLM-L6-v2" {
			t.Fatalf("%v, %+v", err, zr)
		}
		f, err := zr.File[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Version string
			Server  struct {
				Entry  string                   `json:"entry_point"`
				Config struct{ Command string } `json:"mcp_config"`
			}
		}
		if err := json.Unmarshal(text, &m); err != nil || m.Version != "1.2.3" || m.Server.Entry != want ||
			m.Server.Config.Command != "${__dirname}/"+want {
			t.Errorf("%v, %+v", err, m)
		}
		if program := zr.File[1]; program.Name != want || program.Mode() != 0o755 {
			t.Errorf("%s has mode %o, want %s", program.Name, program.Mode(), want)
		}
		var entry struct {
			Version  string
			Packages []struct{ Identifier, FileSHA256 string }
		}
		if err := json.Unmarshal(read(t, out, "server.json"), &entry); err != nil || len(entry.Packages) != 1 {
			t.Fatalf("%v, %+v", err, entry)
		}
		sum := sha256.Sum256(packed)
		p := entry.Packages[0]
		if p.FileSHA256 != hex.EncodeToString(sum[:]) ||
			!strings.HasSuffix(p.Identifier, "/releases/download/v1.2.3/stemma_1.2.3_"+platform+".mcpb") {
			t.Errorf("%+v", p)
		}
		line := p.FileSHA256 + "  stemma_1.2.3_" + platform + ".mcpb\n"
		if sums := string(read(t, out, "SHA256SUMS")); !strings.Contains(sums, line) ||
			!strings.Contains(sums, "  server.json\n") {
			t.Errorf("the checksums are %q", sums)
		}
	}
}

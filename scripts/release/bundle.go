package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/internal/hosts"
)

// bundle packs the program as an MCP bundle, which desktop hosts install with a click.
func (r *release) bundle(program string) error {
	platform := filepath.Base(filepath.Dir(program))
	goos, _, _ := strings.Cut(platform, "_")
	manifest, inside := hosts.BundleManifest(r.version, goos)
	files := []file{{"manifest.json", 0o644, []byte(manifest)}}
	for _, f := range []struct {
		name, from string
		mode       os.FileMode
	}{{inside, program, 0o755}, {"LICENSE", "LICENSE", 0o644}, {modelLicense, "embed/minilm/LICENSE", 0o644}} {
		content, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		files = append(files, file{f.name, f.mode, content})
	}
	packed, err := r.zipped(files)
	if err != nil {
		return err
	}
	name := r.base() + "_" + platform + ".mcpb"
	sum := sha256.Sum256(packed)
	r.bundles = append(r.bundles, hosts.Bundle{Name: name, SHA256: hex.EncodeToString(sum[:])})
	return r.put(name, packed)
}

// registry writes the release's entry for the MCP registry.
func (r *release) registry() error {
	return r.put("server.json", []byte(hosts.ServerJSON(r.version, r.bundles)))
}

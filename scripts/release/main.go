// Command release packs built programs: an archive and an MCP bundle of each, a list of their
// modules, the page that verifies bundles, the entry for the MCP registry and the checksums. What it
// writes depends on its arguments alone.
//
//	release VERSION UNIXTIME OUTDIR VERIFIER.html PLATFORM/stemma...
package main

import (
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/hosts"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("release: ")
	if len(os.Args) < 6 {
		log.Fatal("usage: release VERSION UNIXTIME OUTDIR VERIFIER.html PLATFORM/stemma...")
	}
	seconds, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		log.Fatalf("%q is no time in seconds since 1970", os.Args[2])
	}
	r := release{version: os.Args[1], at: time.Unix(seconds, 0).UTC(), out: os.Args[3]}
	if err := r.write(os.Args[4], os.Args[5:]); err != nil {
		log.Fatal(err)
	}
}

// release is what one run writes.
type release struct {
	version string
	at      time.Time
	out     string
	names   []string // of the files written, for the checksums
	bundles []hosts.Bundle
}

func (r *release) write(page string, programs []string) error {
	for _, program := range programs {
		if err := static(program); err != nil {
			return err
		}
		if err := errors.Join(r.archive(program), r.bundle(program)); err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
	}
	if err := r.verifier(page); err != nil {
		return err
	}
	sbom, err := r.sbom(programs)
	if err != nil {
		return err
	}
	if err := r.put(r.base()+".spdx.json", sbom); err != nil {
		return err
	}
	if err := r.registry(); err != nil {
		return err
	}
	return r.sums()
}

// static refuses a program for Linux that loads libraries of the system.
func static(program string) error {
	f, err := elf.Open(program)
	var format *elf.FormatError
	if errors.As(err, &format) {
		return nil // it is for another system
	}
	if err != nil {
		return err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return fmt.Errorf("%s is not static: build it with CGO_ENABLED=0", program)
		}
	}
	return nil
}

// base begins the name of each file but the checksums.
func (r *release) base() string { return "stemma_" + r.version }

func (r *release) put(name string, content []byte) error {
	r.names = append(r.names, name)
	return os.WriteFile(filepath.Join(r.out, name), content, 0o644)
}

// sums writes the checksums as sha256sum does, so that its -c can check them.
func (r *release) sums() error {
	var lines strings.Builder
	for _, name := range r.names {
		content, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(content), name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(lines.String()), 0o644)
}

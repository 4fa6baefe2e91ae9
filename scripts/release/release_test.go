package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// root is the project's, whatever directory a test has gone to.
var root, _ = filepath.Abs(filepath.Join("..", ".."))

// pack makes a release of what stands for a program, in a new directory.
func pack(t *testing.T, platform string) string {
	t.Helper()
	t.Chdir(root)
	program := filepath.Join(t.TempDir(), platform, "stemma")
	if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		t.Fatal(err)
	}
	content := bytes.Repeat([]byte("a program of 64 KiB\n"), 64<<10/20)
	if err := os.WriteFile(program, content, 0o700); err != nil {
		t.Fatal(err)
	}
	r := release{version: "1.2.3", at: time.Unix(1_000_000_000, 0).UTC(), out: t.TempDir()}
	if err := errors.Join(r.archive(program), r.bundle(program), r.registry()); err != nil {
		t.Fatal(err)
	}
	if err := r.sums(); err != nil {
		t.Fatal(err)
	}
	return r.out
}

func read(t *testing.T, parts ...string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestATarballHasTheProgramAndItsPapers(t *testing.T) {
	out := pack(t, "linux_amd64")
	zr, err := gzip.NewReader(bytes.NewReader(read(t, out, "stemma_1.2.3_linux_amd64.tar.gz")))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		if h.Uname != "" || h.Uid != 0 || h.ModTime.Unix() != 1_000_000_000 {
			t.Errorf("%s is of user %q, %d and from %v", h.Name, h.Uname, h.Uid, h.ModTime)
		}
		if program := strings.HasSuffix(h.Name, "/stemma"); program != (h.Mode == 0o755) {
			t.Errorf("%s has mode %o", h.Name, h.Mode)
		}
	}
	const dir = "stemma_1.2.3_linux_amd64/"
	want := []string{dir + "stemma", dir + "LICENSE", dir + "LICENSE.all-MiniLM-L6-v2", dir + "README.md"}
	if !slices.Equal(names, want) {
		t.Errorf("it has %v, want %v", names, want)
	}
	if sums := string(read(t, out, "SHA256SUMS")); !strings.Contains(sums, "  stemma_1.2.3_linux_amd64.tar.gz\n") {
		t.Errorf("the checksums are %q", sums)
	}
}

func TestTwoArchivesHaveTheSameBytes(t *testing.T) {
	for platform, suffix := range map[string]string{
		"linux_amd64": ".tar.gz", "windows_amd64": ".zip", "darwin_arm64": ".mcpb",
	} {
		t.Run(platform, func(t *testing.T) {
			name := "stemma_1.2.3_" + platform + suffix
			var first, second []byte
			t.Run("one", func(t *testing.T) { first = read(t, pack(t, platform), name) })
			t.Run("two", func(t *testing.T) { second = read(t, pack(t, platform), name) })
			if !bytes.Equal(first, second) {
				t.Error("they differ")
			}
		})
	}
}

func TestTheVerifierIsAPageAndItsLicense(t *testing.T) {
	t.Chdir(root)
	page := filepath.Join(t.TempDir(), "verify.html")
	if err := os.WriteFile(page, []byte("<!doctype html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := release{version: "1.2.3", at: time.Unix(1_000_000_000, 0).UTC(), out: t.TempDir()}
	if err := errors.Join(r.verifier(page), r.sums()); err != nil {
		t.Fatal(err)
	}
	packed := read(t, r.out, "stemma_1.2.3_verifier.zip")
	zr, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range zr.File {
		names = append(names, f.Name)
	}
	const dir = "stemma_1.2.3_verifier/"
	if want := []string{dir + "verify.html", dir + "LICENSE"}; !slices.Equal(names, want) {
		t.Errorf("it has %v, want %v", names, want)
	}
	if sums := string(read(t, r.out, "SHA256SUMS")); !strings.Contains(sums, "  stemma_1.2.3_verifier.zip\n") {
		t.Errorf("the checksums are %q", sums)
	}
}

func TestAZipKeepsThatTheProgramMayRun(t *testing.T) {
	packed := read(t, pack(t, "windows_amd64"), "stemma_1.2.3_windows_amd64.zip")
	zr, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil || len(zr.File) != 4 {
		t.Fatalf("it has %d files, %v", len(zr.File), err)
	}
	if mode := zr.File[0].Mode(); mode != 0o755 {
		t.Errorf("%s has mode %o", zr.File[0].Name, mode)
	}
}

func TestTheListHasEachModuleOnce(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	_, modules, err := contents([]string{self, self})
	if err != nil || len(modules) == 0 {
		t.Fatalf("%v, %v", modules, err)
	}
	seen := make(map[module]bool)
	for _, m := range modules {
		if seen[m] {
			t.Errorf("%v is there twice", m)
		}
		seen[m] = true
	}
	const from = "https://proxy.golang.org/github.com/!burnt!sushi/toml/@v/v1.6.0.zip"
	if got := describe(module{"github.com/BurntSushi/toml", "v1.6.0"}).From; got != from {
		t.Errorf("it comes from %s", got)
	}
}

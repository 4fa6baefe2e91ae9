package web

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "pack the bundle")

// What the program has of the bundle is what dist has: scripts/page.sh build makes both.
func TestThePackedBundleIsTheBuilt(t *testing.T) {
	if *update {
		if err := os.RemoveAll("packed"); err != nil {
			t.Fatal(err)
		}
	}
	dist := os.DirFS("dist")
	want := make(map[string]bool)
	err := fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		plain, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		as := filepath.Join("packed", name+".gz")
		want[as] = true
		if *update {
			gz, err := packed(plain)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(as), 0o755); err != nil {
				return err
			}
			return os.WriteFile(as, gz, 0o644)
		}
		gz, err := os.ReadFile(as)
		if err != nil {
			return err
		}
		if got, err := unpacked(gz); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s is not packed as it is: %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%v: run scripts/page.sh build", err)
	}
	err = filepath.WalkDir("packed", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !want[name] {
			t.Errorf("%s is packed, and not built", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

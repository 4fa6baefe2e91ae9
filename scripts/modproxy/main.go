// Command modproxy makes a module proxy of the files it reads the names of: a
// directory that GOPROXY=file://DIR can name, with this module in one version.
//
//	git ls-files | modproxy VERSION DIR
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("modproxy: ")
	if len(os.Args) != 3 {
		log.Fatal("usage: git ls-files | modproxy VERSION DIR")
	}
	if err := write(os.Args[1], os.Args[2], os.Stdin); err != nil {
		log.Fatal(err)
	}
}

func write(version, dir string, names io.Reader) error {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	m := module.Version{Path: modfile.ModulePath(mod), Version: version}
	files, err := list(names)
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	info, err := json.Marshal(map[string]string{"Version": version, "Time": "2000-01-01T00:00:00Z"})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".info": info, version + ".mod": mod,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
	}
	packed, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		return err
	}
	return errors.Join(zip.Create(packed, m, files), packed.Close())
}

// file is a file of the module, by its name from the module's root.
type file string

func (f file) Path() string                 { return filepath.ToSlash(string(f)) }
func (f file) Lstat() (fs.FileInfo, error)  { return os.Lstat(string(f)) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(string(f)) }

// list reads names of files. Git also lists those that were just deleted.
func list(names io.Reader) ([]zip.File, error) {
	var files []zip.File
	lines := bufio.NewScanner(names)
	for lines.Scan() {
		f := file(filepath.Clean(lines.Text()))
		if _, err := f.Lstat(); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		files = append(files, f)
	}
	return files, lines.Err()
}

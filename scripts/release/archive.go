package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// file is one file of an archive.
type file struct {
	name    string
	mode    fs.FileMode
	content []byte
}

// papers are the files beside the program, by the names that they have there.
var papers = []struct{ name, from string }{
	{"LICENSE", "LICENSE"}, {modelLicense, "embed/minilm/LICENSE"}, {"README.md", "README.md"},
}

// modelLicense is that of the model within the program.
const modelLicense = "LICENSE.all-MiniLM-L6-v2"

// archive packs the program whose directory is named after its platform, as zip
// for Windows and as tar.gz for the others.
func (r *release) archive(program string) error {
	platform := filepath.Base(filepath.Dir(program))
	dir := r.base() + "_" + platform
	content, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	files := []file{{path.Join(dir, filepath.Base(program)), 0o755, content}}
	for _, paper := range papers {
		if content, err = os.ReadFile(paper.from); err != nil {
			return err
		}
		files = append(files, file{path.Join(dir, paper.name), 0o644, content})
	}
	pack, suffix := r.tarball, ".tar.gz"
	if strings.HasPrefix(platform, "windows") {
		pack, suffix = r.zipped, ".zip"
	}
	packed, err := pack(files)
	if err != nil {
		return err
	}
	return r.put(dir+suffix, packed)
}

// verifier packs the page that verifies bundles in a browser.
func (r *release) verifier(page string) error {
	dir := r.base() + "_verifier"
	var files []file
	for _, from := range []string{page, "LICENSE"} {
		content, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		files = append(files, file{path.Join(dir, filepath.Base(from)), 0o644, content})
	}
	packed, err := r.zipped(files)
	if err != nil {
		return err
	}
	return r.put(dir+".zip", packed)
}

func (r *release) tarball(files []file) ([]byte, error) {
	var out bytes.Buffer
	zw, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	tw := tar.NewWriter(zw)
	for _, f := range files {
		header := tar.Header{
			Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode), Size: int64(len(f.content)),
			ModTime: r.at, Format: tar.FormatUSTAR,
		}
		if err := tw.WriteHeader(&header); err != nil {
			return nil, err
		}
		if _, err := tw.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := tw.Close(); err != nil {
		return nil, err
	}
	err = zw.Close()
	return out.Bytes(), err
}

func (r *release) zipped(files []file) ([]byte, error) {
	var out bytes.Buffer
	zw := zip.NewWriter(&out)
	for _, f := range files {
		header := zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.at}
		header.SetMode(f.mode)
		w, err := zw.CreateHeader(&header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := zw.Close()
	return out.Bytes(), err
}

package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
)

// built is the bundle of dist, each file compressed: the program is a tenth of a megabyte smaller.
//
//go:embed all:packed
var built embed.FS

// A file is one of the bundle, as it is and compressed.
type file struct {
	kind        string
	plain, gzip []byte
}

// files are those of the bundle by their names; reading them, and compressing what finish changes, waits
// until somebody asks.
var files = sync.OnceValues(func() (map[string]file, error) {
	all := make(map[string]file)
	err := fs.WalkDir(built, "packed", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		gz, err := built.ReadFile(name)
		if err != nil {
			return err
		}
		text, err := unpacked(gz)
		if err != nil {
			return err
		}
		name = strings.TrimSuffix(strings.TrimPrefix(name, "packed/"), ".gz")
		kind := mime.TypeByExtension(path.Ext(name))
		if path.Ext(name) == ".js" {
			kind = "text/javascript; charset=utf-8" // whatever the machine's own table says
		}
		all[name] = file{kind, text, gz}
		return nil
	})
	if err == nil {
		err = finish(all)
	}
	for name, f := range all {
		if err != nil {
			break
		}
		if f.gzip == nil {
			f.gzip, err = packed(f.plain)
		}
		all[name] = f
	}
	return all, err
})

// finish adds what this program knows to the files of the bundle: the colours of the kinds to the sheet, whose name
// says so, and to the document its kinds.
func finish(all map[string]file) error {
	index, ok := all["index.html"]
	if !ok {
		return fmt.Errorf("the page is not built into this binary: scripts/page.sh builds it")
	}
	document, err := withKinds(index.plain)
	if err != nil {
		return err
	}
	for _, name := range slices.Collect(maps.Keys(all)) {
		if path.Ext(name) != ".css" {
			continue
		}
		f := all[name]
		f.plain, f.gzip = append(f.plain, kindsCSS()...), nil
		sum := sha256.Sum256(f.plain)
		as := "assets/style-" + hex.EncodeToString(sum[:4]) + ".css"
		delete(all, name)
		document, all[as] = bytes.ReplaceAll(document, []byte(name), []byte(as)), f
	}
	for _, theme := range themes {
		text := withTheme(document, theme)
		all[documentOf(theme, false)] = file{index.kind, text, nil}
		text = bytes.Replace(text, []byte("<body"), []byte("<body data-here"), 1)
		all[documentOf(theme, true)] = file{index.kind, text, nil}
	}
	return nil
}

// documentOf names the document with a theme. It says whether what is read is what the server gives, if nobody chose.
func documentOf(theme string, here bool) string {
	if here {
		theme += " here"
	}
	return "index.html" + theme
}

// document names the one for a browser. Who is no person at it reads what the server gives, in a project or not.
func (p *pages) document(r *http.Request) string {
	return documentOf(themeOf(r), p.config.Here != "" || !speaks(r).Acts)
}

// The themes that a person chooses: the name of a file ends in it, and "" is as the system has it.
var themes = []string{"", "light", "dark"}

// themeCookie has the theme that was chosen in a browser.
const themeCookie = "stemma-theme"

// themeOf returns the theme that a browser wants.
func themeOf(r *http.Request) string {
	c, err := r.Cookie(themeCookie)
	if err != nil || !slices.Contains(themes, c.Value) {
		return ""
	}
	return c.Value
}

func withTheme(document []byte, theme string) []byte {
	if theme == "" {
		return document
	}
	return bytes.Replace(document, []byte("<html "), []byte(`<html data-theme="`+theme+`" `), 1)
}

// packed compresses a file as far as it goes.
func packed(text []byte) ([]byte, error) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is known
	if _, err := z.Write(text); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// unpacked is what packed compressed.
func unpacked(gz []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// asset serves a file of the bundle. Its name says what is in it, so that it can be
// kept for ever.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	p.send(w, r, "assets/"+r.PathValue("name"), "public, max-age=31536000, immutable")
}

// shell serves the document that loads the bundle.
func (p *pages) shell(w http.ResponseWriter, r *http.Request) {
	p.send(w, r, p.document(r), "no-cache")
}

func (p *pages) send(w http.ResponseWriter, r *http.Request, name, keep string) {
	all, err := files()
	if err != nil {
		fail(w, err)
		return
	}
	f, ok := all[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	f.send(w, r, keep)
}

func (f *file) send(w http.ResponseWriter, r *http.Request, keep string) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", keep)
	h.Set("Vary", "Accept-Encoding")
	if strings.HasPrefix(f.kind, "text/html") {
		h.Add("Vary", "Cookie")
	}
	body := f.plain
	if f.gzip != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.gzip
	}
	_, _ = w.Write(body) // who hung up does not read
}

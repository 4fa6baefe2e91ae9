package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed all:dist
var built embed.FS

// A file is one of the bundle, as it is and compressed.
type file struct {
	kind        string
	plain, gzip []byte
}

// files are those of the bundle by their names; reading and compressing them waits
// until somebody asks.
var files = sync.OnceValues(func() (map[string]file, error) {
	all := make(map[string]file)
	err := fs.WalkDir(built, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := built.ReadFile(name)
		if err == nil && path.Ext(name) == ".html" {
			text, err = withKinds(text)
		}
		if err != nil {
			return err
		}
		kind := mime.TypeByExtension(path.Ext(name))
		if path.Ext(name) == ".js" {
			kind = "text/javascript; charset=utf-8" // whatever the machine's own table says
		}
		if path.Ext(name) == ".html" {
			all[frontDocument] = file{kind, withFront(text), nil}
		}
		all[strings.TrimPrefix(name, "dist/")] = file{kind, text, nil}
		return nil
	})
	for name, f := range all {
		if f.gzip, err = packed(f.plain); err != nil {
			return nil, err
		}
		all[name] = f
	}
	if _, ok := all["index.html"]; err == nil && !ok {
		err = fmt.Errorf("the page is not built into this binary: scripts/page.sh builds it")
	}
	return all, err
})

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

// asset serves a file of the bundle. Its name says what is in it, so that it can be
// kept for ever.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	p.send(w, r, "assets/"+r.PathValue("name"), "public, max-age=31536000, immutable")
}

// shell serves the document that loads the bundle.
func (p *pages) shell(w http.ResponseWriter, r *http.Request) {
	p.send(w, r, "index.html", "no-cache")
}

// first serves the document of the first view.
func (p *pages) first(w http.ResponseWriter, r *http.Request) {
	p.send(w, r, frontDocument, "no-cache")
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
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", keep)
	h.Set("Vary", "Accept-Encoding")
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.gzip
	}
	_, _ = w.Write(body) // who hung up does not read
}

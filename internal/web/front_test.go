package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/web"
)

// The theme that a person chose is in the document, so that nothing is painted in another one first. Nothing else
// that a browser sends gets there.
func TestTheDocumentHasTheChosenTheme(t *testing.T) {
	s := serve(t)
	for cookie, want := range map[string]string{
		"": `<html lang="en">`, "stemma-theme=dark": `<html data-theme="dark" lang="en">`,
		"stemma-theme=light": `<html data-theme="light" lang="en">`, "stemma-theme=auto": `<html lang="en">`,
		"stemma-theme=\"><script>": `<html lang="en">`, "stemma-theme=../go.mod": `<html lang="en">`,
	} {
		for _, path := range []string{"/", "/review"} {
			if res, page := s.get(path, "Cookie", cookie); !strings.Contains(page, want) {
				t.Errorf("%s with the cookie %q: %s %.80s, want %s", path, cookie, res.Status, page, want)
			}
		}
	}
}

// written is what a document has of the first view: as markup, and as data.
func written(t *testing.T, page string) (view string, d firstData) {
	t.Helper()
	_, view, _ = strings.Cut(page, `<div class="front">`)
	view, data, ok := strings.Cut(view, `<script type="application/json" id="first">`)
	if !ok {
		return "", d
	}
	data, _, _ = strings.Cut(data, "</script>")
	if err := json.Unmarshal([]byte(data), &d); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return view, d
}

type firstData struct {
	Front struct {
		Newest []struct{ Ref, Text, Tier string }
		Status struct{ Records int }
	}
	Me struct{ Acts bool }
}

// The document of the first view has what it shows; no other document does. It is read for each document, and kept by
// no browser.
func TestTheFirstViewIsInItsDocument(t *testing.T) {
	s := serve(t)
	belief := s.consolidate("warm caches are faster", s.promote("measured it", s.raw("the cache was cold")))
	res, page := s.get("/")
	view, d := written(t, page)
	if len(d.Front.Newest) != 2 || d.Front.Status.Records < 3 || d.Front.Newest[0].Ref != belief ||
		d.Front.Newest[0].Tier == "" || !strings.Contains(view, "warm caches are faster</bdi>") {
		t.Errorf("the document has %+v and %s", d, view)
	}
	if keep := res.Header.Get("Cache-Control"); keep != "no-store" {
		t.Errorf("it may be kept: %q", keep)
	}
	if !strings.HasSuffix(strings.TrimSpace(page), "</html>") || strings.Count(page, `id="page"`) != 1 {
		t.Errorf("the document is not whole: %s", page)
	}
	s.promote("the newest of all", s.raw("it is warm"))
	if _, page := s.get("/"); !strings.Contains(page, "the newest of all") {
		t.Error("the document has what was read earlier")
	}
	for _, path := range []string{"/review", "/search", "/?q=caches", "/?all=1"} {
		if _, page := s.get(path); strings.Contains(page, `class="front"`) || strings.Contains(page, `id="first"`) {
			t.Errorf("%s has a first view", path)
		}
	}
	var asked struct{ Newest []struct{ Text string } }
	res, body := s.get("/ui/front")
	if err := json.Unmarshal([]byte(body), &asked); err != nil || len(asked.Newest) != 3 ||
		asked.Newest[0].Text != "the newest of all" || res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("who asks for it later: %v %s", err, body)
	}
}

// Words of others are text in the document and in its data, whatever they hold.
func TestTheDocumentHasWordsAsText(t *testing.T) {
	s := serve(t)
	for _, text := range []string{
		`</script><script>alert(1)</script>`, `<!-- <script`, `</bdi></a></li></ol></div></main><h1>Approved`,
		`"><img src=x onerror=alert(1)>`, "two\u202elines \u2028 and \x01 b", `{{Theme}} {{.}} ]]> &lt;b&gt; \u003c/script>`,
	} {
		s.promote(text, s.raw(text))
	}
	_, page := s.get("/")
	view, d := written(t, page)
	if len(d.Front.Newest) != 6 || !strings.Contains(view, `>two\u{202e}lines \u{2028} and \u{1} b</bdi>`) {
		t.Errorf("the data has %+v, the view %s", d, view)
	}
	for what, want := range map[string]int{
		"<script": 3, "</script>": 3, "<img": 0, "<!--": 0, "<h1": 1, "</main>": 1, "\u2028": 0, "\x01": 0,
	} {
		if got := strings.Count(page, what); got != want {
			t.Errorf("%q stands %d times in the document, want %d", what, got, want)
		}
	}
	if at := strings.IndexRune(view, '\u202e'); at >= 0 {
		t.Errorf("what turns the direction of writing is in the view: %q", view[max(0, at-40):at+40])
	}
}

// An empty store, and one of captures alone.
func TestTheFirstViewOfLittle(t *testing.T) {
	s := serve(t)
	_, page := s.get("/")
	view, d := written(t, page)
	if d.Front.Newest == nil || !strings.Contains(view, "This store is empty") || !strings.Contains(view, "nothing yet") {
		t.Errorf("an empty store: %s", view)
	}
	s.raw("the cache was cold")
	_, page = s.get("/")
	if view, _ := written(t, page); strings.Contains(view, "This store is empty") ||
		!strings.Contains(view, "Only captures so far") || !strings.Contains(view, ">capture<") {
		t.Errorf("captures alone: %s", view)
	}
}

// Who asks for the head alone is given it, and nothing is read.
func TestTheHeadOfTheFirstView(t *testing.T) {
	s := serve(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, s.URL+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, body := s.do(r)
	if res.StatusCode != http.StatusOK || body != "" || res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s %q %v", res.Status, body, res.Header)
	}
}

// failing is a page whose store cannot be read, or not soon.
func failing(t *testing.T, read func(*http.Request) error) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(web.Handler(web.Config{Engine: func(r *http.Request) (*engine.Engine, error) {
		return nil, read(r)
	}}))
	t.Cleanup(s.Close)
	return s
}

// A store that cannot be read: the document is whole without a view, so that its script asks and is told why.
func TestTheDocumentOfWhatCannotBeRead(t *testing.T) {
	server := failing(t, func(*http.Request) error { return errors.New("the disk is gone") })
	s := &served{t, nil, server}
	res, page := s.get("/")
	if res.StatusCode != http.StatusOK || strings.Contains(page, "the disk is gone") ||
		!strings.HasSuffix(strings.TrimSpace(page), "</html>") || !strings.Contains(page, `<main id="main"`) {
		t.Errorf("%s: %s", res.Status, page)
	}
	if view, _ := written(t, page); view != "" {
		t.Errorf("it has a view: %s", view)
	}
	if res, body := s.get("/ui/front"); res.StatusCode != 500 || !strings.Contains(body, "the disk is gone") {
		t.Errorf("%s: %s", res.Status, body)
	}
}

// A store that cannot be read soon: the document ends without its view, and its script asks.
func TestTheDocumentDoesNotWaitForLong(t *testing.T) {
	server := failing(t, func(r *http.Request) error {
		<-r.Context().Done()
		return r.Context().Err()
	})
	s := &served{t, nil, server}
	_, page := s.get("/")
	if view, _ := written(t, page); view != "" || !strings.HasSuffix(strings.TrimSpace(page), "</html>") {
		t.Errorf("the document: %s", page)
	}
}

// What a browser needs to load the bundle comes before anything is read, and a browser that goes away ends the reading.
func TestTheHeadDoesNotWait(t *testing.T) {
	reading, gone := make(chan struct{}), make(chan struct{})
	server := failing(t, func(r *http.Request) error {
		close(reading)
		<-r.Context().Done()
		close(gone)
		return r.Context().Err()
	})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	<-reading
	var head strings.Builder
	for part := make([]byte, 512); !strings.Contains(head.String(), "</form>"); {
		n, err := res.Body.Read(part)
		head.Write(part[:n])
		if err != nil {
			t.Fatalf("%v after %s", err, head.String())
		}
	}
	if !strings.Contains(head.String(), `<script type="module"`) || !strings.Contains(head.String(), "stylesheet") {
		t.Errorf("it begins with %s", head.String())
	}
	leave()
	<-gone
}

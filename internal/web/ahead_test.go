package web_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"testing"
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

// The document of the first view asks for what it shows while the bundle loads; no other does.
func TestFront(t *testing.T) {
	s := serve(t)
	belief := s.consolidate("warm caches are faster", s.promote("measured it", s.raw("the cache was cold")))
	_, first := s.get("/")
	_, other := s.get("/review")
	asks := func(page string) bool { return strings.Contains(page, `href="/ui/front`) }
	if !asks(first) || asks(other) {
		t.Errorf("the first document has it: %v; another: %v", asks(first), asks(other))
	}
	var front struct {
		Newest []struct{ Ref, Tier string }
		Status struct{ Records int }
	}
	res, body := s.get("/ui/front")
	if err := json.Unmarshal([]byte(body), &front); err != nil || len(front.Newest) != 2 || front.Status.Records < 3 ||
		front.Newest[0].Ref != belief || front.Newest[0].Tier == "" {
		t.Errorf("%v: %s", err, body)
	}
	if keep := res.Header.Get("Cache-Control"); keep != "no-store" {
		t.Errorf("it may be kept: %q", keep)
	}
	var found struct {
		Results []struct{ Pieces []string }
		Facets  []struct{ Name string }
	}
	_, body = s.post("/ui/found", `{"query":"caches","facets":true}`)
	if err := json.Unmarshal([]byte(body), &found); err != nil || len(found.Results) == 0 ||
		len(found.Results[0].Pieces) != 3 || len(found.Facets) < 4 {
		t.Errorf("%v: %s", err, body)
	}
}

// The first view is read while a browser takes in its document, and given once: who asks again is given what there is
// then.
func TestTheFirstViewIsReadAhead(t *testing.T) {
	s := serve(t)
	s.raw("the cache was cold")
	_, page := s.get("/")
	named := regexp.MustCompile(`href="(/ui/front\?of=\w{26})"`).FindStringSubmatch(page)
	if named == nil {
		t.Fatalf("the document names no first view of its own: %s", page)
	}
	s.raw("the cache is warm")
	if _, got := s.get(named[1]); !strings.Contains(got, "was cold") || strings.Contains(got, "is warm") {
		t.Errorf("the first view was not read with its document: %s", got)
	}
	for _, path := range []string{named[1], "/ui/front", "/ui/front?of=other"} {
		if _, got := s.get(path); !strings.Contains(got, "is warm") {
			t.Errorf("%s is not what there is now: %s", path, got)
		}
	}
	for range 40 { // documents whose view nobody asks for
		s.get("/")
	}
	if _, page := s.get("/"); strings.Contains(page, "?of=") || !strings.Contains(page, `href="/ui/front"`) {
		t.Errorf("there is no bound to what is read ahead")
	}
}

// Many browsers at once: each document has a first view of its own, and each view is whole.
func TestFirstViewsOfManyBrowsers(t *testing.T) {
	var reading sync.WaitGroup
	s := serveWith(t, func(do func()) bool { reading.Go(do); return true })
	t.Cleanup(reading.Wait)
	s.raw("the cache was cold")
	var all sync.WaitGroup
	var names sync.Map
	named := regexp.MustCompile(`href="(/ui/front[^"]*)"`)
	for range 24 {
		all.Go(func() {
			_, page := s.get("/")
			at := named.FindStringSubmatch(page)
			if at == nil {
				t.Errorf("the document names no first view: %s", page)
				return
			}
			if _, twice := names.LoadOrStore(at[1], true); twice && strings.Contains(at[1], "?") {
				t.Errorf("two documents name %s", at[1])
			}
			if _, view := s.get(at[1]); !strings.Contains(view, "was cold") || !strings.Contains(view, `"status":`) {
				t.Errorf("%s: %s", at[1], view)
			}
		})
	}
	all.Wait()
}

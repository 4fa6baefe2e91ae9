package otlp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What is sent arrives with its headers; a refusal is an error, and no one else is sent
// anything in the collector's place.
func TestPost(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("it went elsewhere")
	}))
	defer elsewhere.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != `{"n":"1"}` || r.Header.Get("Content-Type") != "application/json" ||
			r.Header.Get("Key") != "word" {
			t.Errorf("got %s with %v, %v", body, r.Header, err)
		}
		switch r.URL.Path {
		case "/full":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/moved":
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}
	}))
	defer s.Close()
	for path, want := range map[string]string{"/taken": "", "/full": "503", "/moved": "307"} {
		err := Post(t.Context(), Client(), s.URL+path, map[string]string{"Key": "word"}, Object{"n": "1"})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Post to %s = %v, want an error with %q", path, err, want)
		}
	}
}

// What is said of a collector that is not there names it, and no key in its address.
func TestNoCollectorListens(t *testing.T) {
	err := Post(t.Context(), Client(), "http://127.0.0.1:1/secret?key=secret", nil, Object{})
	if err == nil || !strings.HasPrefix(err.Error(), "127.0.0.1:1: ") || strings.Contains(err.Error(), "secret") {
		t.Errorf("Post to nobody = %v", err)
	}
}

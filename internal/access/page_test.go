package access

import (
	"io"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// A person at a browser whose address was used before is told so in words, and how
// to get another; a program gets a problem.
func TestASpentAddressInABrowser(t *testing.T) {
	door := guard(t, Options{}).SignIn()
	for accept, want := range map[string]string{
		"text/html,application/xhtml+xml": "text/html; charset=utf-8", "": ProblemType,
	} {
		r := httptest.NewRequest("GET", SignInPath+"?code=guess", nil)
		r.Host = "127.0.0.1:7463"
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		door.ServeHTTP(w, r)
		body, _ := io.ReadAll(w.Result().Body)
		if w.Code != 401 || w.Header().Get("Content-Type") != want || !strings.Contains(string(body), "stemma ui") {
			t.Errorf(
				"Accept %q: %d, %s, want 401, %s and how to get in:\n%s", accept, w.Code,
				w.Header().Get("Content-Type"), want, body,
			)
		}
	}
}

// The policy of the page lets its own style in, and nothing else.
func TestThePolicyNamesTheStyle(t *testing.T) {
	w := httptest.NewRecorder()
	AskPerson(w, "<b>why</b>")
	policy := w.Header().Get("Content-Security-Policy")
	if !regexp.MustCompile(
		`^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; frame-ancestors 'none'$`,
	).MatchString(policy) {
		t.Errorf("the policy is %q", policy)
	}
	if strings.Contains(w.Body.String(), "<b>") || strings.Count(w.Body.String(), "<style>"+pageStyle+"</style>") != 1 {
		t.Errorf("the page is\n%s", w.Body)
	}
}

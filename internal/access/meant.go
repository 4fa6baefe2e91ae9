package access

import "net/http"

// PageHeader repeats what the page was given when it asked who it speaks for. A page of
// another origin cannot read it, and cannot send the header.
const PageHeader = "Stemma-Page"

// Meant reports whether a request may change what it asks to change: of a signed-in browser only
// what our own page sent, which is an act of a person. A caller with a token acts without the
// header; with it, it would pass a program's act off as a person's.
func Meant(r *http.Request) bool {
	c, ok := CallerOf(r.Context())
	given := r.Header.Get(PageHeader)
	return ok && (c.Page == "" && given == "" || same(given, c.Page))
}

// NotMeant answers a request that is not Meant.
func NotMeant(w http.ResponseWriter, r *http.Request) {
	if c, _ := CallerOf(r.Context()); c.Page == "" {
		Refuse(w, http.StatusForbidden, KindForbidden,
			"only a person who signed in may act on the page: run 'stemma ui' at a terminal")
		return
	}
	Refuse(w, http.StatusForbidden, KindPage,
		"the request lacks the header "+PageHeader+" of this browser's session; load the page again")
}

// OnlyMeant passes on what is Meant, and what only reads.
func OnlyMeant(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead && !Meant(r) {
			NotMeant(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

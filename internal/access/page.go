package access

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"strings"
)

// pageStyle is all the style of what a browser is told at the door; the policy of
// the page names it by its hash.
const pageStyle = `:root{color-scheme:light dark}` +
	`body{font:1.05rem/1.6 Georgia,"DejaVu Serif",serif;max-width:34rem;margin:18vh auto 0;padding:0 1.2rem}` +
	`h1{font-weight:400;font-style:italic;color:#8f2a1f}pre{font-size:1.1rem;padding:.6rem 1rem;border:1px solid}` +
	`@media(prefers-color-scheme:dark){h1{color:#e39284}}`

const pageText = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>stemma: ` +
	`%s</title><style>%s</style></head>
<body><h1>stemma</h1>
%s</body></html>
`

// signInWords tell a person how to get in.
const signInWords = "<pre>stemma ui</pre>\n<p>at a terminal: it opens this page, signed in.</p>\n"

// AskPerson tells the person at a browser how to sign in. What is why it must be
// done, a whole sentence; "" is that no one signed in.
func AskPerson(w http.ResponseWriter, why string) {
	text := "<p>This page shows what is remembered on this machine, to the person it belongs to. Run</p>\n"
	if why != "" {
		text = "<p>" + html.EscapeString(why) + " Run</p>\n"
	}
	h := w.Header()
	sum := sha256.Sum256([]byte(pageStyle))
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set(
		"Content-Security-Policy",
		"default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'; frame-ancestors 'none'",
	)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = fmt.Fprintf(w, pageText, "sign in", pageStyle, text+signInWords) // who hung up does not read
}

// AtBrowser reports whether a request is that of a person who goes to a page.
func AtBrowser(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html")
}

package remote

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/stemma-memory/stemma/llm"
)

// An Error is a server's failure to answer. It is one of llm's errors, and its cause, for errors.Is.
type Error struct {
	What   string        // the server is for; "" means embedder
	Server string        // its address
	Code   int           // the HTTP status, or 0
	Text   string        // what happened, for a person
	Says   string        // the server's own words in it
	After  time.Duration // it asked to be left alone for; 0 if it did not say
	Kind   error         // llm.ErrUnavailable, ErrRefused or ErrNonsense
	Cause  error         // or nil
}

func (e *Error) Error() string {
	text := cmp.Or(e.What, defaultWhat) + " " + e.Server + ": " + e.Text
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// RetryAfter is how long the server asked to be left alone, 0 if it did not say.
func (e *Error) RetryAfter() time.Duration { return e.After }

// TooLong says whether the server took less text than it was given.
func (e *Error) TooLong() bool {
	if e.Code == http.StatusRequestEntityTooLarge {
		return true
	}
	says := strings.ToLower(e.Says)
	return e.Code/100 >= 4 &&
		slices.ContainsFunc(tooLong, func(words string) bool { return strings.Contains(says, words) })
}

// tooLong are what servers say of texts that a model does not take: llama.cpp, vLLM, OpenAI and others.
var tooLong = []string{
	"too large to process", "too long", "maximum context length", "exceeds the context", "context length", "max_tokens",
	"maximum input length", "larger than the max",
}

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// hints are what a person can do about a status.
var hints = map[int]string{
	http.StatusUnauthorized:          "unauthorised: is the key right?",
	http.StatusForbidden:             "forbidden: may this key use this model?",
	http.StatusNotFound:              "not found: are the address and the model's name right?",
	http.StatusMethodNotAllowed:      "method not allowed: is the address right?",
	http.StatusRequestEntityTooLarge: "too large: the server takes less at once",
	http.StatusTooManyRequests:       "too many requests",
	529:                              "overloaded",
}

// status makes an error of an answer that is none, and says when to ask again.
func (s *Server) status(response *http.Response) (time.Duration, error) {
	code := response.StatusCode
	e := &Error{What: s.what(), Server: s.Base.String(), Code: code, Kind: llm.ErrRefused}
	hint := hints[code]
	if hint == "" {
		hint = strings.ToLower(http.StatusText(code))
	}
	e.Text = strings.TrimSpace(fmt.Sprintf("%d %s", code, hint))
	if code/100 == 3 {
		e.Text = fmt.Sprintf("%d sends us elsewhere, which we do not follow%s", code, redirectTarget(response))
		return never, e
	}
	if e.Says = s.says(response.Body); e.Says != "" {
		e.Text += " (it says: " + e.Says + ")"
	}
	if e.TooLong() {
		return never, e // it will not be shorter the next time
	}
	later := code == http.StatusTooManyRequests || code == http.StatusRequestTimeout || code/100 == 5
	if !later || code == http.StatusNotImplemented {
		return never, e
	}
	e.Kind = llm.ErrUnavailable
	e.After = s.retryAfter(response.Header.Get("Retry-After"))
	return e.After, e
}

// redirectTarget returns the target of a redirect without the parts that may be secret.
func redirectTarget(response *http.Response) string {
	to, err := response.Location()
	if err != nil {
		return ""
	}
	place := url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}
	return fmt.Sprintf(": give %q as the address if it is right", place.String())
}

// retryAfter reads the header: seconds or a date; 0 if it says nothing.
func (s *Server) retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(strings.TrimSpace(header)); err == nil {
		return time.Duration(min(max(seconds, 0), int(2*maxWait/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(s.now()), 0)
	}
	return 0
}

const maxSays = 200 // bytes of a server's own words that we repeat

// says finds the server's own words in an error: {"error":{"message":"…"}}, {"error":"…"} and the like. They are
// a stranger's: bounded, printable, and without the key, should the server repeat it.
func (s *Server) says(body io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(body, maxError)) // what came is enough
	var reply struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(text, &reply) != nil {
		return "" // a web page or half an answer says nothing
	}
	says := reply.Message
	for _, raw := range []json.RawMessage{reply.Detail, reply.Error} {
		var deep struct {
			Message string `json:"message"`
		}
		var plain string
		if json.Unmarshal(raw, &plain) == nil && plain != "" {
			says = plain
		} else if json.Unmarshal(raw, &deep) == nil && deep.Message != "" {
			says = deep.Message
		}
	}
	if s.Key != "" {
		says = strings.ReplaceAll(says, s.Key, "[key]")
	}
	says = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, says)
	if len(says) > maxSays {
		says = strings.ToValidUTF8(says[:maxSays], "") + "…"
	}
	return strings.TrimSpace(says)
}

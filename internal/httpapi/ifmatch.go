package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
)

// tagOf returns the ETag of a reply that shows the state of one record, or the act that would
// be undone; "" for other replies.
func tagOf(reply any) string {
	switch r := reply.(type) {
	case api.ShowReply:
		return quoted(engine.StateTag(r.Memory))
	case api.UndoReply:
		if r.DryRun {
			return quoted(undoTag(r))
		}
	}
	return ""
}

func quoted(tag string) string { return `"` + tag + `"` }

// undoTag is another text for each act that could be undone.
func undoTag(r api.UndoReply) string {
	const enough = 9
	sum := sha256.Sum256([]byte(strings.Join(r.Undone, "\n")))
	return base64.RawURLEncoding.EncodeToString(sum[:enough])
}

// subjects are the records that a request is about.
type subjects struct {
	Ref    string   `json:"ref"`
	Refs   []string `json:"refs"`
	Target string   `json:"target"`
}

// unchanged checks If-Match: one tag for each record that the request names, in order, as it was
// read before. While the act is under way no other request with If-Match is: free ends that.
func unchanged(
	ctx context.Context, matched *sync.Mutex, r *http.Request, e *engine.Engine, op ops.Op, body []byte,
) (free func(), err error) {
	header := strings.Join(r.Header.Values("If-Match"), ",")
	if header == "" || header == "*" || !op.Writes {
		return func() {}, nil
	}
	var tags []string
	for tag := range strings.SplitSeq(header, ",") {
		tags = append(tags, strings.Trim(strings.TrimSpace(tag), `"`))
	}
	var about subjects
	_ = json.Unmarshal(body, &about) // what is wrong with it, the operation says
	refs := about.Refs
	switch {
	case about.Ref != "":
		refs = []string{about.Ref}
	case about.Target != "":
		refs = []string{about.Target}
	}
	matched.Lock()
	if op.Name == "undo" && about.Ref == "" {
		err = sameUndo(ctx, e, tags)
	} else {
		err = sameState(ctx, e, refs, tags)
	}
	if err != nil {
		matched.Unlock()
		return nil, err
	}
	return matched.Unlock, nil
}

// sameState compares the tags of records with those that were read.
func sameState(ctx context.Context, e *engine.Engine, refs, tags []string) error {
	if len(refs) != len(tags) {
		return &wrong{http.StatusBadRequest, kindMalformed, fmt.Sprintf(
			"If-Match: needs one tag for each record of the request, got %d tags for %d records", len(tags), len(refs),
		)}
	}
	now, err := e.Standings(ctx, refs)
	if err != nil {
		return err
	}
	var changed []access.Changed
	var said []string
	for i, m := range now {
		if m.Tag != tags[i] && tags[i] != "*" {
			is := says(m)
			changed, said = append(changed, access.Changed{Ref: m.Ref, Now: is}), append(said, m.Ref+" is now "+is)
		}
	}
	return otherwise(said, changed)
}

// sameUndo compares the act that would be undone with the one that was shown.
func sameUndo(ctx context.Context, e *engine.Engine, tags []string) error {
	would, err := e.Undo(ctx, api.UndoRequest{DryRun: true})
	if err != nil {
		return err
	}
	if len(tags) == 1 && tags[0] == undoTag(would) {
		return nil
	}
	return otherwise([]string{"the last act is another one now: " + would.Act}, nil)
}

// mostNamed is how many changed records the sentence of a problem names; its list names all.
const mostNamed = 5

// otherwise is the problem that something changed meanwhile: in one sentence, and record by record. Nil is that
// nothing did.
func otherwise(said []string, changed []access.Changed) error {
	if len(said) == 0 {
		return nil
	}
	more := ""
	if n := len(said) - mostNamed; n > 0 {
		said, more = said[:mostNamed], fmt.Sprintf("; and %d more", n)
	}
	detail := "changed since you read it, so nothing was stored: " + strings.Join(said, "; ") + more
	return &stale{detail, changed}
}

// says gives the state of a record in words.
func says(m engine.Standing) string {
	state := m.Hidden
	switch {
	case m.SupersededBy != "":
		state = "replaced by " + m.SupersededBy
	case state == "" && m.Review == "":
		state = "current"
	case state == "":
		state = m.Review
	}
	if m.ReviewedBy != "" && m.ReviewedAt != "" && (m.Review == "approved" || m.Review == "rejected") {
		state += fmt.Sprintf(" (%s by %s at %s)", m.Review, m.ReviewedBy, m.ReviewedAt)
	}
	return state
}

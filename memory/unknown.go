package memory

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/stemma-memory/stemma/internal/canon"
)

// checkOpaque asks of a record whose kind or version is not known here what
// every version has: a version, a kind, an author, a space and a body. A header
// of our own version is known and held to all of its rules.
func (r *Record) checkOpaque() error {
	h, body := &r.Header, r.Body.(*Opaque).RawMessage
	if h.V < Version || !wellFormedKind(string(h.Kind)) {
		return bad("kind", "is missing, or the version is %d", h.V)
	}
	if len(body) == 0 || body[0] != '{' {
		return bad("body", "must be an object")
	}
	if h.V > Version {
		return errors.Join(did("author", h.Author), checkSpace(h.Space), plainNames("", r.Bytes))
	}
	if err := h.check(); err != nil {
		return err
	}
	again, err := canon.Marshal(envelope[json.RawMessage]{*h, body})
	if err != nil || !bytes.Equal(again, r.Bytes) {
		return errors.Join(ErrNotCanonical, err)
	}
	return nil
}

// plainNames refuses names of members that are not snake_case, outside of body
// and ext. encoding/json takes "Space", and even "\u017fpace", for "space", so
// that another reader might see another author than we do.
func plainNames(field string, raw json.RawMessage) error {
	switch {
	case field == "body" || field == "ext":
		return nil
	case raw[0] == '{':
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			return err
		}
		for name, value := range members {
			if !wellFormedKind(name) {
				return bad("record", "has a member %q, which is not snake_case", clip(name))
			}
			if err := plainNames(name, value); err != nil {
				return err
			}
		}
	case raw[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return err
		}
		for _, value := range list {
			if err := plainNames(field, value); err != nil {
				return err
			}
		}
	}
	return nil
}

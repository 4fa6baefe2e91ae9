package peer

import (
	"errors"
	"fmt"
)

// The errors of a Remote that asking again does not mend. They are matched with
// errors.Is, and travel by their codes.
var (
	// ErrDenied says that the caller is not known, or may not do this.
	ErrDenied = errors.New("not allowed")
	// ErrVersion says that the peer speaks another version of the protocol.
	ErrVersion = errors.New("another version of the protocol")
	// ErrRequest says that the request was wrong in itself.
	ErrRequest = errors.New("not a request")
	// ErrQuota says that the caller's quota is used up.
	ErrQuota = errors.New("no room is left for this account")
	// ErrRewritten says that a log is not what it was, or not what was said of it.
	ErrRewritten = errors.New("history_rewritten")
)

// ErrUnderWay says that another exchange of the same store with the same peer went on
// meanwhile, and that this one stepped back.
var ErrUnderWay = errors.New("another sync of this store is running")

// ErrAway says that the peer could not be reached, or did not answer in time: later it may.
var ErrAway = errors.New("the peer cannot be reached")

// away is an error of a peer that could not be reached, in the words of whoever tried.
type away struct{ error }

func (a away) Is(target error) bool { return target == ErrAway }
func (a away) Unwrap() error        { return a.error }

// Away makes ErrAway of an error of a Remote, unless asking again does not help.
func Away(err error) error {
	if err == nil || Lasting(err) {
		return err
	}
	return away{err}
}

// codes are the errors as they travel.
var codes = map[string]error{
	"denied": ErrDenied, "version": ErrVersion, "request": ErrRequest, "quota": ErrQuota,
	"history_rewritten": ErrRewritten,
}

// Code returns the word by which an error travels, "" for an error of other packages, of which
// the caller learns only that it happened.
func Code(err error) string {
	for code, e := range codes {
		if errors.Is(err, e) {
			return code
		}
	}
	return ""
}

// Coded returns the error of a code, with what the peer said of it.
func Coded(code, text string) error {
	if e := codes[code]; e != nil {
		return fmt.Errorf("%w: %s", e, text)
	}
	return errors.New(text)
}

// Lasting reports whether asking again does not help.
func Lasting(err error) bool { return Code(err) != "" }

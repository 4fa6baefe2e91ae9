// Package anchor pins memories to things outside the store (a commit, a page, a
// file, a timestamp) and checks later whether they still stand.
//
// For each type there are two calls, one that makes and one that checks; neither
// knows the store, and neither scores. What is checked was written by strangers:
// pages are fetched from public addresses only, files are read below one
// directory only, git runs guarded, and every read has a bound. The network is
// used by URL, and by Check when Options say online; by nothing else.
package anchor

import (
	"context"

	"github.com/stemma-memory/stemma/memory"
)

// Make makes an anchor of any type. The reference is what the type's own
// function takes; of rfc3161 it is the name of the file with the token. Types
// that nothing here can check are taken as they are given.
func Make(ctx context.Context, typ, reference string, of memory.Ref, o Options) (*memory.Anchor, error) {
	switch typ {
	case typeGit:
		return Git(ctx, reference, of, o)
	case typeURL:
		return URL(ctx, reference, of, o)
	case typePost:
		a, err := URL(ctx, reference, of, o)
		if a != nil {
			a.Type = typePost
		}
		return a, err
	case typeFile:
		return File(ctx, reference, of, o)
	case typeTime:
		token, err := readToken(reference)
		if err != nil {
			return nil, err
		}
		return RFC3161(token, of, o)
	}
	return sound(&memory.Anchor{Of: of, Type: typ, Reference: reference})
}

// Check compares an anchor with the outside as it is now. It never fails: what
// cannot be found out is a finding too.
func Check(ctx context.Context, a *memory.Anchor, o Options) Finding {
	f := Finding{Status: Unverifiable, At: o.now(), Offline: true}
	if _, err := sound(a); err != nil {
		f.Why = plain(err.Error())
		return f
	}
	f.Class = Class(a)
	switch a.Type {
	case typeGit:
		checkGit(ctx, a, o, &f)
	case typeURL, typePost:
		checkURL(ctx, a, o, &f)
	case typeFile:
		checkFile(ctx, a, o, &f)
	case typeTime:
		checkToken(a, o, &f)
	default:
		f.Why = "nothing here can check a " + a.Type
	}
	f.Why = plain(f.Why)
	return f
}

package folder

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// store writes new memories and revisions.
func (f *folder) store(ctx context.Context, progress func(int)) error {
	for i, n := range f.files {
		var err error
		if n.ref.ID.IsZero() {
			err = f.add(ctx, n)
		} else {
			err = f.revise(ctx, n)
		}
		if err != nil {
			if errors.Is(err, api.ErrInvalid) {
				err = core.Invalid("%s: %s", n.path, core.OneLine(err))
			}
			return err
		}
		if progress != nil {
			progress(i + 1)
		}
	}
	return nil
}

// add makes a memory of a new file. The same file with the same words is taken in once.
func (f *folder) add(ctx context.Context, n *noteFile) error {
	d, redacted, err := f.e.CleanDraft(readText(n.draft(), n.text))
	if err != nil {
		return err
	}
	alias := "markdown:" + n.path + ":" + hashOf([]byte(bare(n.text)))[:16]
	if held, err := f.e.intake.Held(ctx, alias); err != nil || len(held) > 0 {
		f.reply.AlreadyThere += len(held)
		return err
	}
	body, err := core.DraftBody(d)
	if err != nil {
		return err
	}
	h, err := core.MetaHeader(api.Meta{Tags: n.tags(), About: aboutOf(n.text)}, core.DefaultConfidence)
	if err != nil {
		return err
	}
	h.Alias, h.Provenance = []string{alias}, memory.Provenance{Via: memory.ViaDirect, Context: core.EditContext}
	r, more, err := f.e.SignClean(h, body)
	if err != nil {
		return err
	}
	if told, err := f.rejected(ctx, n, r); told || err != nil {
		return err
	}
	reply, err := f.e.lifecycle.Write(
		ctx, store.Batch{Records: []*memory.Record{r}, NewAliases: true}, append(redacted, more...),
	)
	if err == nil {
		f.reply.Added = append(f.reply.Added, reply.Ref)
	}
	return err
}

// rejected keeps the words of a new file that says what a person rejected, and says so: no memory is made of
// them.
func (f *folder) rejected(ctx context.Context, n *noteFile, r *memory.Record) (bool, error) {
	hint, err := f.e.lifecycle.KeepRejected(ctx, r)
	if hint != "" && err == nil {
		f.warn("%s: %s", n.path, hint)
	}
	return hint != "", err
}

// aboutOf returns the names of a text's link targets.
func aboutOf(text string) []string {
	var out []string
	for _, target := range markdown.Links(text) {
		if name := markdown.Base(target); name != "" && len(out) < memory.MaxAbout {
			out = append(out, name)
		}
	}
	return out
}

// revise takes in what somebody wrote into the file of a memory.
func (f *folder) revise(ctx context.Context, n *noteFile) error {
	it, err := f.e.One(ctx, n.ref.ID)
	if err != nil {
		return err
	}
	if it == nil || it.Record == nil || it.Ref != n.ref || !it.Ref.Kind.IsMemory() {
		f.warn("%s: %s is not held, or purged; left out", n.path, n.ref.Short())
		return nil
	}
	f.forged(n, it)
	if fileSays(it.Record, n.front, n.text) {
		f.reply.Unchanged++
		return nil
	}
	if it.Ref.Kind == memory.KindRaw {
		f.warn("%s: captures cannot be revised; the change was ignored", n.path)
		return nil
	}
	later, err := f.e.revisions(ctx, it)
	if err != nil {
		return err
	}
	may, err := f.e.lifecycle.May(ctx, it.Record)
	if err != nil {
		return err
	}
	current := it
	for _, r := range later {
		// what was only proposed, one who may decide decides now
		if proposed := len(r.Record.Header.Provenance.Supersedes) == 0; fileSays(r.Record, n.front, n.text) &&
			(!proposed || !may) {
			f.reply.AlreadyThere++
			return nil
		}
		if r.Ref.ID == current.State.SupersededBy {
			current = r
		}
	}
	if current != it && current.Record.Header.Provenance.Context != core.EditContext {
		f.warn(
			"%s: %s was revised elsewhere since, as %s; export again and change that one", n.path,
			it.Ref.Short(), current.Ref.Short(),
		)
		return nil
	}
	reply, err := f.e.lifecycle.ReviseAs(ctx, asFileSays(current, n), core.EditContext)
	switch {
	case err != nil:
		return err
	case reply.Link != "":
		f.reply.Proposed = append(f.reply.Proposed, reply.Ref)
	default:
		f.reply.Revised = append(f.reply.Revised, reply.Ref)
	}
	return nil
}

// asFileSays returns the request for a revision with the words and tags of a file. Fields that
// the file no longer has are cleared.
func asFileSays(it *store.Item, n *noteFile) api.ReviseRequest {
	before := core.DraftOf(it.Record.Body)
	in := api.ReviseRequest{Ref: it.Ref.String(), Draft: readText(before, n.text), Meta: api.Meta{Tags: n.tags()}}
	says := core.MembersSaid(in.Draft)
	for _, name := range core.MembersSaid(before) {
		if !slices.Contains(says, name) && !slices.Contains(lifecycle.Required, name) {
			in.Clear = append(in.Clear, name)
		}
	}
	if len(in.Tags) == 0 && len(it.Record.Header.Tags) > 0 {
		in.Clear = append(in.Clear, "tags")
	}
	switch b := it.Record.Body.(type) {
	case *memory.Note: // a body with its own summary comes below it in the file
		if first, rest, ok := strings.Cut(in.Text, "\n\n"); ok && b.Body != "" && !core.IsWhole(b) &&
			!strings.Contains(first, "\n") {
			in.Text, in.Description = first, rest
		} else if b.Body != "" {
			in.Clear = append(in.Clear, "description")
		}
	case *memory.Value:
		if b.Statement != "" && in.Text == "" {
			in.Clear = append(in.Clear, "description")
		}
	}
	return in
}

// fileSays reports whether a file has the words and tags of a record.
func fileSays(r *memory.Record, front markdown.Front, text string) bool {
	d := core.DraftOf(r.Body)
	same := sameText(text, layOut(d)) ||
		sameText(text, layOutWith(d, func(s string) string { return s })) // as versions before wrote it
	return same && slices.Equal(tagsOf(front), append([]string{}, r.Header.Tags...))
}

// revisions returns what was written in the place of a memory, and what was
// proposed for it, the oldest first.
func (e *Folder) revisions(ctx context.Context, it *store.Item) ([]*store.Item, error) {
	var out []*store.Item
	seen := map[memory.ID]bool{it.Ref.ID: true}
	for level := []*store.Item{it}; len(level) > 0; {
		var next []*store.Item
		for _, one := range level {
			derived, err := e.DerivedFrom(ctx, one.Ref.ID)
			if err != nil {
				return nil, err
			}
			for _, d := range derived {
				if d.Record != nil && d.Ref.Kind == it.Ref.Kind && d.Record.Header.Provenance.Via == memory.ViaRevision &&
					!seen[d.Ref.ID] {
					seen[d.Ref.ID] = true
					next = append(next, d)
				}
			}
		}
		slices.SortFunc(next, func(a, b *store.Item) int { return cmp.Compare(lifecycle.Written(a), lifecycle.Written(b)) })
		out, level = append(out, next...), next
	}
	return out, nil
}

// idIn finds the digits of an id in what a front matter names.
var idIn = lazy.Regexp(`[0-9a-f]{16,64}`)

// forged names what a front matter says that is not so. It changes nothing.
func (f *folder) forged(n *noteFile, it *store.Item) {
	wrong := make(map[string]bool)
	for _, m := range signedFront(it.Record) {
		says := n.front.Get(m.Name)
		switch {
		case says == nil && (m.Text != "" || len(m.List) > 0):
			wrong[m.Name] = true
		case says != nil && m.Is == markdown.Listed && !slices.Equal(says.List, m.List):
			wrong[m.Name] = true
		case says != nil && m.Is != markdown.Listed && says.Text != m.Text:
			wrong[m.Name] = true
		}
	}
	p := &it.Record.Header.Provenance
	for name, refs := range map[string][]memory.Ref{frontSources: p.From, frontSupersedes: p.Supersedes} {
		if !namesOnly(n.front.List(name), refs) {
			wrong[name] = true
		}
	}
	delete(wrong, frontRef) // of that, whose has spoken
	if len(wrong) > 0 {
		f.warn(
			"%s: %s in the front matter is not what was signed, and changes nothing", n.path,
			strings.Join(slices.Sorted(maps.Keys(wrong)), ", "),
		)
	}
}

// namesOnly reports whether a list of links and refs names these records and no others.
func namesOnly(list []string, refs []memory.Ref) bool {
	if len(list) != len(refs) {
		return false
	}
	for i, r := range refs {
		found := idIn.Get().FindAllString(list[i], -1)
		if len(found) == 0 || !strings.HasPrefix(r.ID.String(), found[len(found)-1]) {
			return false
		}
	}
	return true
}

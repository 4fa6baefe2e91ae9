package web

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// What the page reads is a person's choice, which the browser keeps in a cookie: the script sends it with each request
// (web/src/reads.ts), and the server goes by the cookie where there is no script yet.

// The choices that are always there; the others are readProject and readSpace with a name behind them.
const (
	readHere    = "here" // the project that the server was started in, with what is the person's
	readMine    = "me"
	readAll     = "all"
	readProject = "project:" // as if the server had been started there
	readSpace   = "space:"
)

// What the choices are called.
const (
	nameMine = "yours"
	nameNone = "of no project"
	nameAll  = "all projects"
)

// noProject in Stemma-Project says that who reads all is in no project, so that each memory names its own.
const noProject = "-"

// A choice is one of those that there are.
type choice struct {
	Value string `json:"value"`
	Name  string `json:"name"`
}

// readsCookie is the name of the cookie. Servers of several stores on one machine share a browser's cookies.
func readsCookie(r *http.Request) string {
	_, port, _ := strings.Cut(r.Host, ":")
	return "stemma-reads_" + port
}

// usual is what is read before anybody chose: outside any project everything, for a person at the page may.
func (p *pages) usual() string {
	if p.config.Here == "" {
		return readAll
	}
	return readHere
}

// reads is the choice that a browser keeps.
func (p *pages) reads(r *http.Request) string {
	c, err := r.Cookie(readsCookie(r))
	if err != nil {
		return p.usual()
	}
	value, err := url.PathUnescape(c.Value)
	if err != nil || value == readHere && p.config.Here == "" {
		return p.usual()
	}
	return cmp.Or(value, p.usual())
}

// reading is a request with the choice in it. What a request says itself stands.
func reading(r *http.Request, value string) *http.Request {
	c, _ := access.CallerOf(r.Context())
	if c.Origin != memory.OriginOwner || c.Space != "" || c.Project != "" {
		return r
	}
	switch kind, name, _ := strings.Cut(value, ":"); {
	case value == readAll:
		c.Space, c.Project = engine.AllSpaces, noProject
	case value == readMine:
		c.Space = engine.MeSpace
	case kind+":" == readProject:
		c.Project = name
	case kind+":" == readSpace:
		c.Space = name
	}
	return access.As(r, c)
}

// choices are what a person can have the page read, in the order in which it shows them.
func (p *pages) choices(ctx context.Context, e *engine.Engine) ([]choice, error) {
	filled, err := e.FilledSpaces(ctx)
	if err != nil {
		return nil, err
	}
	s := p.shelves()
	var others []choice
	for _, f := range filled {
		one, ok := s.choice(f)
		if ok && !slices.Contains(others, one) {
			others = append(others, one)
		}
	}
	apart(others)
	slices.SortFunc(others, func(a, b choice) int {
		none := func(c choice) int { return strings.Compare(c.Value[:1], "p") } // what is of no project is the last
		return cmp.Or(cmp.Compare(none(a), none(b)), strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
	})
	var out []choice
	if p.config.Here != "" {
		out = append(out, choice{readHere, s.nameHere(p.config.Here)})
	}
	out = append(out, choice{readMine, nameMine})
	return append(append(out, others...), choice{readAll, nameAll}), nil
}

func (s shelves) nameHere(space string) string { return "this project: " + s.called(space) }

// shelves is what is known of spaces beside the store: which project each is of.
type shelves struct {
	here  []string          // those of the project that the server was started in
	names map[string]string // of projects, by their spaces
	bound map[string]string // the space that a project is bound to, by its own
}

func (p *pages) shelves() shelves {
	s := shelves{[]string{p.config.Here}, make(map[string]string), make(map[string]string)}
	if p.config.Known == nil {
		return s
	}
	for _, known := range p.config.Known() {
		if known.Bound == "" {
			s.names[known.Space] = known.Name
		} else {
			s.bound[known.Space] = known.Bound
		}
		if known.InUse() == p.config.Here {
			s.here = append(s.here, known.Space)
		}
	}
	return s
}

// called is how a person calls a space.
func (s shelves) called(space string) string {
	_, local, full := strings.Cut(space, "/")
	if !full {
		local = space
	}
	return cmp.Or(s.names[local], local)
}

// choice is the one that reads a space, if that has one of its own.
func (s shelves) choice(f engine.Filled) (choice, bool) {
	owner, local, _ := strings.Cut(f.Space, "/")
	if !f.Mine {
		const enough = 8 // all keys begin alike
		return choice{readProject + f.Space, "project " + local + " of …" + owner[max(0, len(owner)-enough):]},
			!slices.Contains(s.here, f.Space)
	}
	bound := s.bound[local]
	switch {
	case local == engine.MeSpace || slices.Contains(s.here, local) || slices.Contains(s.here, f.Space),
		bound != "" && slices.Contains(s.here, bound):
		return choice{}, false
	case local == engine.DefaultSpace:
		return choice{readSpace + f.Space, nameNone}, true
	case bound != "":
		return choice{readProject + bound, "project " + s.called(bound)}, true
	case slices.Contains(slices.Collect(maps.Values(s.bound)), f.Space):
		return choice{readProject + f.Space, "project " + s.called(local)}, true
	}
	return choice{readProject + local, "project " + s.called(local)}, true
}

// choose returns the choice that a browser keeps, or the usual one where there is no such choice any more.
func (p *pages) choose(r *http.Request, among []choice) string {
	value := p.reads(r)
	if !slices.ContainsFunc(among, func(c choice) bool { return c.Value == value }) {
		return p.usual()
	}
	return value
}

// chosen is the choice that a browser keeps as far as it is known without the store, none for who has no choice.
func (p *pages) chosen(r *http.Request) choice {
	if !speaks(r).Acts {
		return choice{}
	}
	value, s := p.reads(r), p.shelves()
	switch kind, name, _ := strings.Cut(value, ":"); {
	case value == readHere:
		return choice{value, s.nameHere(p.config.Here)}
	case value == readMine:
		return choice{value, nameMine}
	case kind+":" == readSpace:
		return choice{value, nameNone}
	case kind+":" == readProject:
		return choice{value, "project " + s.called(name)}
	}
	return choice{readAll, nameAll}
}

// apart gives choices of one name the names of their spaces.
func apart(list []choice) {
	count := make(map[string]int)
	for _, c := range list {
		count[c.Name]++
	}
	for i, c := range list {
		if count[c.Name] > 1 {
			list[i].Name = "project " + c.Value[strings.LastIndexAny(c.Value, ":/")+1:]
		}
	}
}

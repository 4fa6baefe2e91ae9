package project

import (
	"fmt"
	"slices"
	"strings"
)

// A Book is the projects that are known on this machine.
type Book struct{ Projects []Project }

// A Project is what one is known by, and where its memories are.
type Project struct {
	Space   string   `json:"space"`           // a name without an owner
	Name    string   `json:"name"`            // for people
	Bound   string   `json:"bound,omitempty"` // OWNER/NAME of the space that a person bound it to
	Roots   []string `json:"roots,omitempty"`
	Remotes []string `json:"remotes,omitempty"`
	Paths   []string `json:"paths,omitempty"` // of its checkouts, the last seen at the end
	Stamps  []Stamp  `json:"stamps,omitempty"`
}

// How many of each a project keeps. The oldest are forgotten.
const (
	mostKnown  = 64
	mostPaths  = 256
	mostStamps = 64
)

// InUse is the space in which the project's memories are written: the bound one, else its own.
func (p Project) InUse() string {
	if p.Bound != "" {
		return p.Bound
	}
	return p.Space
}

// Spaces are those of projects, their own and the bound ones, but for some.
func Spaces(of []Project, but ...string) []string {
	var out []string
	for _, p := range of {
		for _, space := range []string{p.Space, p.Bound} {
			if space != "" && !slices.Contains(but, space) {
				out = append(out, space)
			}
		}
	}
	return out
}

// bare reports whether only a path is known of a project.
func (p Project) bare() bool { return len(p.Roots) == 0 && len(p.Remotes) == 0 }

// A likeness is a project beside an identity: what they share.
type likeness struct {
	roots    bool // a root commit
	first    bool // the identity's first one
	other    bool // both have root commits, and share none
	remote   bool
	noRemote bool // one of them has none
	here     bool // the directory of the file system
	path     bool
	stays    bool // the directory, or the path where directories cannot be told apart
}

func compare(p *Project, id Identity) likeness {
	l := likeness{
		first:    id.Root != "" && slices.Contains(p.Roots, id.Root),
		remote:   slices.ContainsFunc(p.Remotes, id.calls),
		noRemote: id.Remote == "" || len(p.Remotes) == 0,
		path:     slices.ContainsFunc(p.Paths, id.lies),
	}
	l.roots = l.first || slices.ContainsFunc(id.Roots, func(root string) bool { return slices.Contains(p.Roots, root) })
	l.other = !l.roots && id.Root != "" && len(p.Roots) > 0
	l.here = slices.ContainsFunc(p.Stamps, func(s Stamp) bool {
		return s.Place != "" && (s.Place == id.Place || s.Place == id.Source)
	})
	l.stays = l.here || l.path && (id.Place == "" || len(p.Stamps) == 0)
	return l
}

// calls reports whether a remote is the identity's. Hosts of repositories do not tell cases apart.
func (id Identity) calls(remote string) bool {
	return id.Remote != "" && strings.EqualFold(remote, id.Remote) ||
		id.abbreviated != "" && strings.EqualFold(remote, id.abbreviated)
}

// lies reports whether a path is the identity's.
func (id Identity) lies(path string) bool {
	return path != "" && (path == id.Path || path == id.Own)
}

// rules say when a project is an identity's, the surest first. None holds against another root commit.
var rules = []func(p *Project, id Identity, l likeness) bool{
	// the repository that it was, whatever its remote and path are now
	func(_ *Project, _ Identity, l likeness) bool { return l.roots && l.stays },
	func(_ *Project, _ Identity, l likeness) bool { return l.roots && l.remote },
	// a clone by path, or a remote that was added or removed since
	func(_ *Project, _ Identity, l likeness) bool { return l.first && l.noRemote },
	// the root commit is not known of one of them
	func(_ *Project, _ Identity, l likeness) bool { return l.remote && l.stays },
	func(_ *Project, _ Identity, l likeness) bool { return l.remote },
	// a first commit, a first or another remote; but not where a history was and surely is no more
	func(p *Project, id Identity, l likeness) bool { return l.stays && (len(p.Roots) == 0 || id.Unsure) },
	// the path, while there is no more on either side, or git does not say
	func(p *Project, id Identity, l likeness) bool {
		return l.path && p.bare() && id.Root == "" && id.Remote == ""
	},
	func(_ *Project, id Identity, l likeness) bool { return l.path && l.noRemote && id.failed },
}

// Find returns the project of an identity.
func (b *Book) Find(id Identity) (*Project, bool) {
	likenesses := make([]likeness, len(b.Projects))
	for i := range b.Projects {
		likenesses[i] = compare(&b.Projects[i], id)
	}
	for _, holds := range rules {
		for i := range b.Projects {
			if p := &b.Projects[i]; !likenesses[i].other && holds(p, id, likenesses[i]) {
				return p, true
			}
		}
	}
	return nil, false
}

// at returns the project with a checkout in a directory.
func (b *Book) at(dir string) (*Project, bool) {
	for i := range b.Projects {
		if p := &b.Projects[i]; slices.Contains(p.Paths, dir) {
			return p, true
		}
	}
	return nil, false
}

// Begin adds a project, which must not be there yet, and returns it.
func (b *Book) Begin(id Identity, salt string) *Project {
	p := Project{Space: b.free(id, salt), Name: id.Name}
	if p.Name == "" {
		p.Name = nameOf(id)
	}
	b.Projects = append(b.Projects, p)
	added := &b.Projects[len(b.Projects)-1]
	b.Learn(added, id)
	return added
}

// free is a name for a new project's space. Another project may have the first choice, as where a history
// was begun anew under the same remote.
func (b *Book) free(id Identity, salt string) string {
	taken := func(space string) bool {
		return slices.ContainsFunc(b.Projects, func(p Project) bool { return p.Space == space })
	}
	space := id.Space(salt)
	for n := 1; taken(space); n++ {
		space = id.space(salt, "all", strings.ToLower(id.Remote), id.Root, id.Path, fmt.Sprint(n))
	}
	return space
}

// Learn adds what an identity says to a project of the book. A directory is of one project: it is
// taken from the one that was there before.
func (b *Book) Learn(p *Project, id Identity) {
	p.Roots = with(p.Roots, id.Root, mostKnown)
	if !b.elsewhere(p, id) {
		p.Remotes = with(p.Remotes, id.abbreviated, mostKnown)
		p.Remotes = with(p.Remotes, id.Remote, mostKnown)
	}
	own := id.Own
	if own == "" {
		own = id.Path
	}
	if _, there := b.at(id.Path); !there {
		p.Paths = with(p.Paths, id.Path, mostPaths)
	}
	b.settle(p, own)
}

// elsewhere reports whether the remote is another project's: a checkout whose remote was changed to that of a
// fork does not take the fork's clones with it.
func (b *Book) elsewhere(p *Project, id Identity) bool {
	return slices.ContainsFunc(b.Projects, func(other Project) bool {
		l := compare(&other, id)
		return other.Space != p.Space && l.remote && !l.other
	})
}

// settle says that a checkout of a project is in a directory.
func (b *Book) settle(p *Project, dir string) {
	for i := range b.Projects {
		if other := &b.Projects[i]; other != p {
			other.Paths = slices.DeleteFunc(other.Paths, func(path string) bool { return path == dir })
		}
	}
	p.Paths = with(p.Paths, dir, mostPaths)
}

// with is a list with a text in it, at most so many.
func with(list []string, text string, most int) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	list = append(list, text)
	return list[max(0, len(list)-most):]
}

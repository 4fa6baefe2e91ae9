package trust

import "slices"

// An Introduction is one controller's word that another is somebody.
type Introduction struct{ By, Whom string }

// Introductions is who introduced whom, as seen by a root. It never changes, and is safe for
// concurrent use; nil knows nobody.
type Introductions struct {
	root  string
	index map[string]int // of the root, which is 0, and of everybody it reaches
	made  [][]int        // the people that each one introduced
	by    [][]int        // who introduced each, the root first
}

// NewIntroductions makes the graph of what the root can reach. What strangers
// say of strangers is dropped, so that it costs nothing later.
func NewIntroductions(root string, list []Introduction) *Introductions {
	if root == "" {
		return nil
	}
	whom := make(map[string][]string)
	for _, e := range list {
		if e.By != "" && e.Whom != "" {
			whom[e.By] = append(whom[e.By], e.Whom)
		}
	}
	n := &Introductions{root: root, index: map[string]int{root: 0}, by: make([][]int, 1)}
	names := []string{root}
	for i := 0; i < len(names); i++ {
		friends := whom[names[i]]
		slices.Sort(friends)
		friends = slices.Compact(friends) // said twice, it is no more
		made := make([]int, len(friends))
		for j, name := range friends {
			k, known := n.index[name]
			if !known {
				k = len(names)
				n.index[name] = k
				names = append(names, name)
				n.by = append(n.by, nil)
			}
			made[j] = k
			n.by[k] = append(n.by[k], i)
		}
		n.made = append(n.made, made)
	}
	return n
}

// Root is whose view this is.
func (n *Introductions) Root() string {
	if n == nil {
		return ""
	}
	return n.root
}

// knows reports whether any chain leads to controller.
func (n *Introductions) knows(controller string) bool {
	if n == nil {
		return false
	}
	_, known := n.index[controller]
	return known
}

// Reaches reports whether a chain of introductions leads from the root to
// controller that goes through none of without. The root reaches itself, and is
// never without itself.
func (n *Introductions) Reaches(controller string, without ...string) bool {
	return n.avoiding(without...).has(controller)
}

// Voices counts the independent voices among controllers: the chains of introductions from the
// root to them that share nobody and avoid everyone in without. Twenty people introduced by
// one person are one voice; the root is a voice of its own.
func (n *Introductions) Voices(controllers []string, without ...string) int {
	return n.avoiding(without...).voices(controllers)
}

// A reach is the part of the graph that is left without some.
type reach struct {
	*Introductions
	in []bool // by index
}

func (n *Introductions) avoiding(without ...string) reach {
	if n == nil {
		return reach{}
	}
	shut := make([]bool, len(n.made))
	for _, name := range without {
		if i, known := n.index[name]; known {
			shut[i] = true
		}
	}
	in := make([]bool, len(n.made))
	in[0] = true // the root is where one looks from
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, i := range n.made[queue[0]] {
			if !in[i] && !shut[i] {
				in[i] = true
				queue = append(queue, i)
			}
		}
	}
	return reach{n, in}
}

func (r reach) has(controller string) bool {
	if r.Introductions == nil {
		return false
	}
	i, known := r.index[controller]
	return known && r.in[i]
}

// voices goes from the controllers back to the root. Everybody on the way is two
// points with one way between them, so that only one chain leads through.
func (r reach) voices(controllers []string) int {
	if r.Introductions == nil {
		return 0
	}
	const source, sink = 0, 1
	var f flow
	f.points(2)
	first := make([]int32, len(r.by)) // the first of a person's two points, or 0
	var queue []int
	point := func(i int) int32 {
		if first[i] == 0 {
			first[i] = f.points(2)
			f.join(first[i], first[i]+1)
			queue = append(queue, i)
		}
		return first[i]
	}
	own := 0
	for _, name := range controllers {
		i, known := r.index[name]
		switch {
		case !known || !r.in[i]:
		case i == 0:
			own = 1
		default:
			f.join(source, point(i))
		}
	}
	for at := 0; at < len(queue); at++ {
		i := queue[at]
		from := first[i] + 1
		if r.by[i][0] == 0 {
			f.join(from, sink) // no longer way to the root is better
			continue
		}
		for _, by := range r.by[i] {
			if r.in[by] {
				f.join(from, point(by))
			}
		}
	}
	return own + f.most(source, sink)
}

package pack

// A Page is a pack as it is printed in one format.
type Page struct {
	Body  []byte
	Used  int        // Estimate(Body): never more than the budget; what Body itself says
	Shown []string   // the refs in Body, in order
	Left  []Omission // all that was given or counted and is not in Body
}

// Render returns the bytes of a pack in a format; see Page.
func (p *Pack) Render(f Format) []byte { return p.Page(f).Body }

// Page chooses what to show in a format and prints it. Formats differ in length, so each has its own
// choice.
func (p *Pack) Page(f Format) Page {
	c := newChooser(p, p.form(f))
	s := c.choose(p.budget)
	c.ask(&s)
	body, used := c.print(&s)
	page := Page{Body: body, Used: used, Left: c.left(&s)}
	for _, of := range p.order {
		for _, e := range of {
			for _, t := range s.views[e].turns {
				page.Shown = append(page.Shown, c.make(e).turns[t.turn].Turn.Ref)
			}
		}
	}
	return page
}

// form returns what prints a format.
func (p *Pack) form(f Format) form {
	switch f {
	case Markdown:
		return markdown{p.layout.Name}
	case JSON:
		return object{}
	case Weighed, Short, Lined:
		return weighed{f, p.around}
	}
	return lines{p.layout.Name, p.fancy}
}

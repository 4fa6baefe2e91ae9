package recall

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// A madePack is a pack with what it was made from.
type madePack struct {
	request  pack.Request
	format   pack.Format // in which page is
	page     pack.Page
	from     []*standing.Found // what it was chosen from
	warnings []string
	hid      []memory.ID // found by their words, and hidden
	held     int         // memories that wait for a person because of outside words
}

func (p *madePack) reply() api.ContextReply {
	r := api.ContextReply{Empty: len(p.page.Shown) == 0 && p.request.Waits == "", Warnings: p.warnings, Render: p.render}
	if p.format == pack.JSON {
		r.Body = p.page.Body
	}
	return r
}

// less says why a load gives less than it should.
func (p *madePack) less() (out []string) {
	if p.request.Notice != "" && len(p.page.Left) > 0 {
		out = append(out, p.request.Notice)
	}
	for _, o := range p.page.Left {
		if o.Section == trust.InConstraints && o.Reason == pack.ForBudget {
			out = append(out, core.Plural(o.Count, "constraint")+" left out for the budget")
		}
	}
	return out
}

func (p *madePack) render(format string, fancy bool) ([]byte, error) {
	switch f := pack.Format(format); f {
	case pack.Text, pack.Markdown, pack.JSON:
		if f == p.format && !fancy {
			return p.page.Body, nil
		}
		in := p.request
		in.Fancy = fancy
		made, err := pack.Build(in)
		if err != nil {
			return nil, err
		}
		return made.Render(f), nil
	}
	return nil, core.Invalid("format: must be text, markdown or json, got %q", shorten.To(format, 40))
}

// formatOf is the format in which a pack is printed first.
func formatOf(name string) pack.Format {
	switch f := pack.Format(name); f {
	case pack.Text, pack.Markdown:
		return f
	}
	return pack.JSON
}

func packed(in pack.Request, format pack.Format) (*madePack, error) {
	p, err := pack.Build(in)
	if err != nil {
		return nil, core.Invalid("%s", core.OneLine(err))
	}
	return &madePack{request: in, format: format, page: p.Page(format)}, nil
}

// checkPack reads a level and a budget.
func checkPack(level string, budget int) (pack.Level, error) {
	l := pack.Level(core.Or(level, string(pack.Task)))
	if l.Tokens() == 0 {
		return l, core.Invalid("level: must be minimal, task or deep, got %q", shorten.To(level, 40))
	}
	if budget != 0 && (budget < pack.MinBudget || budget > pack.MaxBudget) {
		return l, core.Invalid("budget: must be from %d to %d tokens, got %d", pack.MinBudget, pack.MaxBudget, budget)
	}
	return l, nil
}

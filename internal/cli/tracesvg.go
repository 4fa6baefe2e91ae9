package cli

import (
	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/svg"
	"github.com/stemma-memory/stemma/memory"
)

// svg prints a trace as a picture.
func (a *app) svg(t api.TraceReply) error {
	nodes, arrows := graph(t)
	place := make(map[string]int, len(nodes))
	cards := make([]svg.Card, len(nodes))
	for i, n := range nodes {
		place[n.ID] = i
		cards[i] = cardOf(n)
		cards[i].Root = n.ID == t.Memory.ID
	}
	ties := make([]svg.Arrow, 0, len(arrows))
	drawn := make(map[svg.Arrow]bool, len(arrows))
	for _, e := range arrows {
		tie := svg.Arrow{Newer: place[e.from], Older: place[e.to], Inferred: e.inferred}
		if !drawn[tie] {
			drawn[tie] = true
			ties = append(ties, tie)
		}
	}
	if t.Next > 0 {
		a.hint("the picture shows the first %d records of each direction; there are more", t.Next)
	}
	_, err := a.bare().Write(svg.Draw(engine.NodeWords(t.Memory), cards, ties))
	return err
}

// cardOf is what a picture shows of a node.
func cardOf(n *api.Node) svg.Card {
	c := svg.Card{Key: n.ID, Kind: n.Type, Name: short(n.ID), Words: engine.NodeWords(n), Tier: n.Tier,
		Gone: n.Hidden != "" || n.Missing}
	if n.Speaker != "" {
		c.Words = n.Speaker + ": " + c.Words
	}
	for _, at := range []string{n.CreatedAt, n.OccurredAt, n.CapturedAt} {
		if c.When == "" && at != "" {
			c.When = day(at)
		}
	}
	if n.Type == string(memory.KindRaw) && n.Source != "" {
		c.When += " · " + n.Source
	}
	if n.Missing {
		c.Flags = append(c.Flags, "missing")
	}
	c.Flags = append(c.Flags, n.Marks...)
	return c
}

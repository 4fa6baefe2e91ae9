package stemma

import (
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// bodies makes each kind's body of a draft and gives the draft with only the
// members it used, so that the others can be refused.
var bodies = map[memory.Kind]func(Draft, *numbers) (memory.Body, Draft){
	memory.KindEpisode: func(d Draft, n *numbers) (memory.Body, Draft) {
		b := &memory.Episode{
			Objective: d.Text, Outcome: d.Outcome, OutcomeType: d.OutcomeType,
			Lessons: d.Lessons, Repeat: d.Repeat, Avoid: d.Avoid,
		}
		if d.Valence != nil || d.Arousal != nil || len(d.Emotions) > 0 {
			b.Emotion = &memory.Emotion{
				Valence: n.thousandths("valence", d.Valence, -1, 1, 0),
				Arousal: n.thousandths("arousal", d.Arousal, 0, 1, 0), Labels: d.Emotions,
			}
		}
		return b, Draft{
			Outcome: d.Outcome, OutcomeType: d.OutcomeType, Lessons: d.Lessons, Repeat: d.Repeat, Avoid: d.Avoid,
			Valence: d.Valence, Arousal: d.Arousal, Emotions: d.Emotions,
		}
	},
	memory.KindNote: func(d Draft, _ *numbers) (memory.Body, Draft) {
		summary, body := summarise(d.Text)
		if d.Description != "" {
			body = strings.TrimLeft(body+"\n\n"+d.Description, "\n")
		}
		return &memory.Note{
				Type: or(d.Type, defaultNote), Summary: summary, Body: body, Speaker: d.Speaker,
				Reason: d.Reason, Alternatives: d.Alternatives,
			}, Draft{
				Type: d.Type, Description: d.Description, Speaker: d.Speaker, Reason: d.Reason, Alternatives: d.Alternatives,
			}
	},
	memory.KindBelief: func(d Draft, _ *numbers) (memory.Body, Draft) {
		return &memory.Belief{Statement: d.Text, Type: or(d.Type, defaultBelief)}, Draft{Type: d.Type}
	},
	memory.KindValue: func(d Draft, _ *numbers) (memory.Body, Draft) {
		b := &memory.Value{Name: d.Name, Statement: d.Text, Priority: orInt(d.Priority, defaultPriority)}
		if b.Name == "" {
			b.Name, b.Statement = d.Text, d.Description
		} else if b.Statement == "" {
			b.Statement = d.Description
		}
		return b, Draft{Name: d.Name, Priority: d.Priority, Description: d.Description}
	},
	memory.KindGoal: func(d Draft, _ *numbers) (memory.Body, Draft) {
		return &memory.Goal{
			Title: d.Text, Description: d.Description, Type: d.Type, Priority: orInt(d.Priority, defaultPriority),
		}, Draft{Description: d.Description, Type: d.Type, Priority: d.Priority}
	},
	memory.KindDrive: func(d Draft, n *numbers) (memory.Body, Draft) {
		return &memory.Drive{
			Type: d.Text, Intensity: n.thousandths("intensity", d.Intensity, 0, 1, defaultIntensity), Focus: d.Focus,
		}, Draft{Intensity: d.Intensity, Focus: d.Focus}
	},
	memory.KindRelationship: func(d Draft, n *numbers) (memory.Body, Draft) {
		return &memory.Relationship{
			Name: d.Text, Type: d.Type, Description: d.Description,
			Sentiment: n.thousandths("sentiment", d.Sentiment, -1, 1, 0),
		}, Draft{Type: d.Type, Description: d.Description, Sentiment: d.Sentiment}
	},
	memory.KindPlaybook: func(d Draft, _ *numbers) (memory.Body, Draft) {
		return &memory.Playbook{
			Name: d.Text, When: d.When, Steps: d.Steps, FailureModes: d.FailureModes, Recovery: d.Recovery,
		}, Draft{When: d.When, Steps: d.Steps, FailureModes: d.FailureModes, Recovery: d.Recovery}
	},
}

// without gives the name of a member that is set in d and not in used.
func (d Draft) without(used Draft) string {
	has := d.members()
	for name := range used.members() {
		delete(has, name)
	}
	for _, name := range draftMembers {
		if has[name] {
			return name
		}
	}
	return ""
}

// draftMembers are the optional members of a Draft, in its order.
var draftMembers = []string{
	"type", "outcome", "outcome_type", "lessons", "repeat", "avoid", "valence", "arousal", "emotions", "speaker",
	"reason", "alternatives", "name", "description", "priority", "intensity", "focus", "sentiment", "when", "steps",
	"failure_modes", "recovery",
}

// members names the optional members that d sets.
func (d Draft) members() map[string]bool {
	set := []bool{
		d.Type != "", d.Outcome != "", d.OutcomeType != "", len(d.Lessons) > 0, len(d.Repeat) > 0, len(d.Avoid) > 0,
		d.Valence != nil, d.Arousal != nil, len(d.Emotions) > 0, d.Speaker != "", d.Reason != "",
		len(d.Alternatives) > 0, d.Name != "", d.Description != "", d.Priority != nil, d.Intensity != nil,
		len(d.Focus) > 0, d.Sentiment != nil, d.When != "", len(d.Steps) > 0, len(d.FailureModes) > 0, len(d.Recovery) > 0,
	}
	m := make(map[string]bool)
	for i, name := range draftMembers {
		if set[i] {
			m[name] = true
		}
	}
	return m
}

// summarise splits a note's text into a summary of one line and, where that is
// not all, the whole text as its body.
func summarise(text string) (summary, body string) {
	text = strings.TrimSpace(text)
	summary = memory.FirstLine(text)
	if len(summary) > summaryBytes {
		summary = memory.Cut(summary, summaryBytes) + "…"
	}
	if summary != text {
		body = text
	}
	return summary, body
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

func orInt(n *int, fallback int) int {
	if n == nil {
		return fallback
	}
	return *n
}

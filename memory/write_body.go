package memory

import "encoding/hex"

// body writes the bodies of the kinds that are known.
func (w *writer) body(b Body) {
	w.open()
	switch b := b.(type) {
	case *Raw:
		w.text("base64", b.Base64)
		w.text("caption", b.Caption)
		w.text("event", b.Event)
		w.time("occurred_at", b.OccurredAt)
		w.text("source", b.Source)
		w.text("speaker", b.Speaker)
		w.text("text", b.Text)
	case *Episode:
		w.texts("avoid", b.Avoid)
		if e := b.Emotion; e != nil {
			w.name("emotion")
			w.open()
			w.number("arousal", int64(e.Arousal))
			w.texts("labels", e.Labels)
			w.number("valence", int64(e.Valence))
			w.close()
		}
		w.texts("lessons", b.Lessons)
		w.say("objective", b.Objective)
		w.text("outcome", b.Outcome)
		w.text("outcome_type", b.OutcomeType)
		w.texts("repeat", b.Repeat)
	case *Note:
		w.texts("alternatives", b.Alternatives)
		w.text("body", b.Body)
		w.text("reason", b.Reason)
		w.text("speaker", b.Speaker)
		w.say("summary", b.Summary)
		w.say("type", b.Type)
	case *Belief:
		w.say("statement", b.Statement)
		w.text("type", b.Type)
	case *Value:
		w.say("name", b.Name)
		w.number("priority", int64(b.Priority))
		w.text("statement", b.Statement)
	case *Goal:
		w.text("description", b.Description)
		w.number("priority", int64(b.Priority))
		w.say("title", b.Title)
		w.text("type", b.Type)
	case *Drive:
		w.texts("focus", b.Focus)
		w.number("intensity", int64(b.Intensity))
		w.say("type", b.Type)
	case *Relationship:
		w.text("description", b.Description)
		w.say("name", b.Name)
		w.count("sentiment", int64(b.Sentiment))
		w.text("type", b.Type)
	case *Playbook:
		w.texts("failure_modes", b.FailureModes)
		w.say("name", b.Name)
		w.texts("recovery", b.Recovery)
		w.texts("steps", b.Steps)
		w.text("when", b.When)
	default:
		w.claim(b)
	}
	w.close()
}

// claim writes the members of a claim or a key.
func (w *writer) claim(b Body) {
	switch b := b.(type) {
	case *Link:
		w.text("detector", b.Detector)
		w.text("model", b.Model)
		w.text("prompt", b.Prompt)
		w.text("reason", b.Reason)
		w.say("relation", b.Relation)
		w.count("seed", b.Seed)
		w.ref("source", &b.Source)
		w.ref("target", &b.Target)
	case *Witness:
		w.say("attestation", b.Attestation)
		w.text("notes", b.Notes)
		w.ref("of", &b.Of)
		w.text("request", b.Request)
	case *Anchor:
		w.text("final", b.Final)
		w.text("media_type", b.MediaType)
		w.ref("of", &b.Of)
		w.text("proof", b.Proof)
		w.say("reference", b.Reference)
		w.text("sha256", b.SHA256)
		w.count("size", b.Size)
		w.say("type", b.Type)
	case *Verify:
		w.evidence(b.Evidence)
		w.text("method", b.Method)
		w.text("notes", b.Notes)
		w.ref("of", &b.Of)
		w.text("result", b.Result)
	case *Assess:
		w.refs("because", b.Because)
		w.ref("of", &b.Of)
		w.text("reason", b.Reason)
		w.count("step", int64(b.Step))
		if b.To != nil {
			w.number("to", int64(*b.To))
		}
	case *Mark:
		w.refs("also", b.Also)
		w.ref("of", b.Of)
		w.text("reason", b.Reason)
		w.text("target", b.Target)
		w.text("value", b.Value)
		w.say("verb", b.Verb)
	case *Key:
		w.time("expires", b.Expires)
		w.text("from", b.From)
		w.say("key", b.Key)
		w.text("name", b.Name)
		w.text("next", b.Next)
		w.ref("of", b.Of)
		w.say("op", b.Op)
		w.texts("origins", asTexts(b.Origins))
		w.text("previous", b.Previous)
		w.text("reason", b.Reason)
		w.text("scope", b.Scope)
	default:
		w.no = true
	}
}

func asTexts(list []Origin) []string {
	out := make([]string, len(list))
	for i, o := range list {
		out[i] = string(o)
	}
	return out
}

// time writes a time that is absent where it is none.
func (w *writer) time(name string, t Time) {
	if t.IsZero() {
		return
	}
	utc := t.UTC()
	if y := utc.Year(); y < 1 || y > 9999 {
		w.no = true
		return
	}
	w.name(name)
	w.b = append(w.b, '"')
	w.b = utc.AppendFormat(w.b, timeLayout)
	w.b = append(w.b, '"')
}

// id writes an id; the zero one has no spelling.
func (w *writer) id(id ID) {
	w.no = w.no || id.IsZero()
	w.b = append(w.b, '"')
	w.b = hex.AppendEncode(w.b, id[:])
	w.b = append(w.b, '"')
}

// ref writes a ref that is absent where it is nil.
func (w *writer) ref(name string, r *Ref) {
	if r != nil {
		w.name(name)
		w.oneRef(r)
	}
}

func (w *writer) refs(name string, list []Ref) {
	if len(list) == 0 {
		return
	}
	w.name(name)
	w.b = append(w.b, '[')
	for i := range list {
		w.comma('[')
		w.oneRef(&list[i])
	}
	w.b = append(w.b, ']')
}

func (w *writer) oneRef(r *Ref) {
	w.no = w.no || r.ID.IsZero() || !wellFormedKind(string(r.Kind))
	w.b = append(w.b, '"')
	w.b = append(w.b, r.Kind...)
	w.b = append(w.b, ':')
	w.b = hex.AppendEncode(w.b, r.ID[:])
	w.b = append(w.b, '"')
}

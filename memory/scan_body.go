package memory

// readBody reads the body of one of the kinds that there are most of, as
// readHeader reads a header: false when something is not as this version writes
// it, and then b may be half filled.
func readBody(raw []byte, b Body) bool {
	s := &scan{b: raw}
	switch b := b.(type) {
	case *Raw:
		s.raw(b)
	case *Note:
		s.note(b)
	case *Belief:
		s.belief(b)
	case *Link:
		s.link(b)
	case *Witness:
		s.witness(b)
	case *Mark:
		s.mark(b)
	default:
		return false
	}
	return !s.no && len(s.b) == 0
}

func (s *scan) raw(b *Raw) {
	s.object(func(name []byte) {
		switch string(name) {
		case "base64":
			b.Base64 = s.text()
		case "caption":
			b.Caption = s.text()
		case "event":
			b.Event = s.text()
		case "occurred_at":
			b.OccurredAt = s.time()
		case "source":
			b.Source = s.text()
		case "speaker":
			b.Speaker = s.text()
		case "text":
			b.Text = s.text()
		default:
			s.no = true
		}
	})
}

func (s *scan) note(b *Note) {
	s.object(func(name []byte) {
		switch string(name) {
		case "alternatives":
			b.Alternatives = s.texts()
		case "body":
			b.Body = s.text()
		case "reason":
			b.Reason = s.text()
		case "speaker":
			b.Speaker = s.text()
		case "summary":
			b.Summary = s.text()
		case "type":
			b.Type = s.text()
		default:
			s.no = true
		}
	})
}

func (s *scan) belief(b *Belief) {
	s.object(func(name []byte) {
		switch string(name) {
		case "statement":
			b.Statement = s.text()
		case "type":
			b.Type = s.text()
		default:
			s.no = true
		}
	})
}

func (s *scan) link(b *Link) {
	s.object(func(name []byte) {
		switch string(name) {
		case "detector":
			b.Detector = s.text()
		case "model":
			b.Model = s.text()
		case "prompt":
			b.Prompt = s.text()
		case "reason":
			b.Reason = s.text()
		case "relation":
			b.Relation = s.text()
		case "seed":
			b.Seed = int64(s.number(maxInteger))
		case "source":
			b.Source = s.ref()
		case "target":
			b.Target = s.ref()
		default:
			s.no = true
		}
	})
}

func (s *scan) witness(b *Witness) {
	s.object(func(name []byte) {
		switch string(name) {
		case "attestation":
			b.Attestation = s.text()
		case "notes":
			b.Notes = s.text()
		case "of":
			b.Of = s.ref()
		case "request":
			b.Request = s.text()
		default:
			s.no = true
		}
	})
}

func (s *scan) mark(b *Mark) {
	s.object(func(name []byte) {
		switch string(name) {
		case "also":
			s.array(func() { b.Also = append(b.Also, s.ref()) })
		case "of":
			of := s.ref()
			b.Of = &of
		case "reason":
			b.Reason = s.text()
		case "target":
			b.Target = s.text()
		case "value":
			b.Value = s.text()
		case "verb":
			b.Verb = s.text()
		default:
			s.no = true
		}
	})
}

package ops

import "github.com/google/jsonschema-go/jsonschema"

// texts says what members of a request mean in one operation, where several take a
// request of the same type.
var texts = map[string]map[string]string{
	"conflicts": {"all": "those that were decided too, and links of every relation"},
	"entity":    {"limit": "how many memories, the newest; 0 is 50, -1 is all"},
	"evidence":  {"ref": "belief:id, or any other memory"},
	"identity":  {"limit": "of each kind; 0 is 10, -1 is all"},
	"jobs":      {"all": "those that are over too"},
	"relationship_history": {
		"name":  "as the relationship is called, or its ref",
		"limit": "the newest so many; 0 is 50, -1 is all",
	},
	"suggestions": {"kind": "a kind of memory, or link"},
}

// enums are the members of requests that can only be one of a few words.
var enums = map[string]map[string][]string{
	"correct": {"is": {"wrong", "over"}},
}

// explain puts the texts of an operation into the schema of its request.
func (o Op) explain(s *jsonschema.Schema) {
	for member, values := range enums[o.Name] {
		if p := s.Properties[member]; p != nil {
			for _, v := range values {
				p.Enum = append(p.Enum, v)
			}
		}
	}
	for member, text := range texts[o.Name] {
		if p := s.Properties[member]; p != nil {
			p.Description = text
		}
	}
}

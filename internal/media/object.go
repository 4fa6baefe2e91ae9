package media

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Names of members of objects, as models, their hosts and MCP write them.
var (
	kindMembers = []string{"mimeType", "mime_type", "media_type", "mediaType", "contentType", "type", "format"}
	dataMembers = []string{"data", "blob", "base64", "b64_json", "file_data", "url", "image_url", "result"}
	innerMember = []string{
		"source", "inlineData", "inline_data", "resource", "file", "input_audio", "image_url", "image", "blob",
	}
	wordMembers = []string{"text", "content", "stdout", "parts"}
)

// In puts a text with the name of a picture, a sound or a file in the place of each object that holds one, and
// names in the place of those that stand in texts. What holds none stays byte for byte.
func In(raw json.RawMessage) json.RawMessage {
	if !mayHold(raw) {
		return raw
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return raw
	}
	changed := false
	v = named(v, &changed)
	if !changed {
		return raw
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return raw
	}
	return bytes.TrimSpace(b.Bytes())
}

func mayHold(raw []byte) bool {
	for _, w := range []string{`base64`, `"data"`, `"blob"`, `"b64_json"`, `"file_data"`} {
		if bytes.Contains(raw, []byte(w)) {
			return true
		}
	}
	return holds(string(raw))
}

func named(v any, changed *bool) any {
	switch v := v.(type) {
	case string:
		s := v
		if inner := strings.TrimSpace(v); inner != "" && (inner[0] == '{' || inner[0] == '[') && json.Valid([]byte(inner)) {
			s = string(In(json.RawMessage(inner))) // JSON in a string
		}
		s = Named(s)
		*changed = *changed || s != v
		return s
	case []any:
		for i := range v {
			v[i] = named(v[i], changed)
		}
	case map[string]any:
		if name := objectName(v, 0); name != "" {
			*changed = true
			return map[string]any{"type": "text", "text": name}
		}
		for k := range v {
			v[k] = named(v[k], changed)
		}
	}
	return v
}

// deepest is how far inside an object its bytes may be.
const deepest = 3

// objectName names what an object holds, itself or in the member that wraps it; "" where it has words, or
// holds nothing of the kind.
func objectName(v map[string]any, deep int) string {
	for _, name := range wordMembers {
		if _, ok := v[name]; ok {
			return ""
		}
	}
	kind := ""
	for _, name := range kindMembers {
		if s, ok := v[name].(string); ok && len(s) <= kindLong && (kind == "" || !strings.Contains(kind, "/")) {
			kind = s
		}
	}
	for _, name := range dataMembers {
		data, ok := v[name].(string)
		if !ok {
			continue
		}
		if end, s := address(data, 0); end > 0 {
			return s
		}
		if s := bytesName(kind, name, strings.TrimSpace(data)); s != "" {
			if where, ok := v["uri"].(string); ok && len(where) <= 2*kindLong && !strings.HasPrefix(where, scheme) {
				s += " " + where
			}
			return s
		}
	}
	if deep == deepest {
		return ""
	}
	for _, name := range innerMember {
		if inner, ok := v[name].(map[string]any); ok {
			if s := objectName(inner, deep+1); s != "" {
				return s
			}
		}
	}
	return ""
}

// bytesName names base64 that is in a member of its own; kind is what is said beside it.
func bytesName(kind, member, data string) string {
	if len(data) < leastMarked || !allBase64(data) || strings.HasSuffix(member, "url") {
		return ""
	}
	known := kindOf(data)
	switch {
	case strings.Contains(kind, "/") && (member == "blob" || !wordy(kind)), member == "blob" && kind == "":
		return nameOf(kind, data)
	case known != "":
		return nameOf(known, data)
	}
	for _, w := range []string{"image", "audio", "video", "base64", "document", "media", "wav", "mp3", "png", "jpeg"} {
		if strings.Contains(kind, w) {
			return nameOf(strings.TrimPrefix(kind, "input_"), data)
		}
	}
	return ""
}

func allBase64(data string) bool {
	for i := range len(data) {
		if c := data[i]; !letter(c) && c != '=' && c != '-' && c != '_' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}

package httpapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/toolset"
)

// componentsOf is where the description has the schemas of replies.
const componentsOf = "#/components/schemas/"

type object = map[string]any

// Describe returns the description of the face as OpenAPI 3.1, made from the same
// types that requests are decoded into and replies are written from.
func Describe(info Info) ([]byte, error) {
	schemas, err := ops.Replies(componentsOf)
	if err != nil {
		return nil, err
	}
	for name, t := range map[string]reflect.Type{
		"Problem": reflect.TypeFor[access.Problem](), "Code": reflect.TypeFor[access.Code](),
	} {
		if schemas[name], err = jsonschema.ForType(t, nil); err != nil {
			return nil, err
		}
	}
	paths := make(object)
	for _, op := range ops.All {
		in, err := op.Request()
		if err != nil {
			return nil, err
		}
		for _, name := range append([]string{op.Name}, op.Aliases...) {
			paths["/v1/"+name] = object{"post": operationObject(op, name, in)}
		}
	}
	for _, p := range streams {
		one, err := passageObject(p, schemas)
		if err != nil {
			return nil, err
		}
		paths["/v1/"+p.name] = object{"post": one}
	}
	for path, one := range otherRoutes() {
		paths[path] = one
	}
	return json.Marshal(object{
		"openapi": "3.1.1",
		"info": object{
			"title": "stemma", "version": info.Version,
			"description": "Memory for agents that can say where it comes from. Every operation is a POST with its " +
				"request as JSON; errors are problems (RFC 9457).",
			"license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"servers":  []object{{"url": "/"}},
		"security": []object{{"token": []string{}}, {"cookie": []string{}}},
		"tags":     []object{{"name": "read"}, {"name": "write"}, {"name": "streams"}, {"name": "server"}},
		"paths":    paths,
		"components": object{
			"schemas": schemas,
			"responses": object{
				"Problem": object{
					"description": "What went wrong.",
					"content":     object{access.ProblemType: schemaOf(ref("Problem"))},
				},
			},
			"parameters": object{
				"Agent":   header("Stemma-Agent", "Display name of the agent that asks."),
				"Session": header("Stemma-Session", "The conversation that writes belong to."),
				"Space":   header("Stemma-Space", "The space: a name, or * to read all."),
				"Project": header("Stemma-Project", "The project the caller is in, or - for none: its space, where none is named."),
				"Answer":  header(AnswerHeader, "tool: answer in short, as MCP does, and take only what a model may set."),
				"Key":     header("Idempotency-Key", "The same key with the same request is done once, and answered the same."),
				"Match":   header("If-Match", "The tag that was read of each record in the request, in order."),
			},
			"securitySchemes": object{
				"token": object{
					"type": "http", "scheme": "bearer",
					"description": "The token of the server, for agents or for the owner.",
				},
				"cookie": object{
					"type": "apiKey", "in": "cookie", "name": "stemma_PORT",
					"description": "Of a browser that signed in with a code.",
				},
			},
		},
	})
}

// ref refers to a schema.
func ref(name string) object { return object{"$ref": componentsOf + name} }

func schemaOf(schema any) object { return object{"schema": schema} }

func header(name, doc string) object {
	return object{"name": name, "in": "header", "description": doc, "schema": object{"type": "string", "maxLength": 256}}
}

func query(name, doc string) object {
	return object{"name": name, "in": "query", "description": doc, "schema": object{"type": "string", "maxLength": 256}}
}

func parameter(name string) object { return object{"$ref": "#/components/parameters/" + name} }

func operationObject(op ops.Op, name string, in *jsonschema.Schema) object {
	tag, params := "read", []object{parameter("Agent"), parameter("Session"), parameter("Space"), parameter("Project")}
	if op.Writes {
		tag, params = "write", append(params, parameter("Key"), parameter("Match"))
	}
	if toolset.Shortened(op.Name) {
		params = append(params, parameter("Answer"))
	}
	doc := op.Doc
	if name != op.Name {
		doc += " The same as " + op.Name + "."
	}
	content := object{"application/json": schemaOf(ref(op.Out.Name()))}
	if op.Name == "context" || op.Name == "load" {
		content["text/plain"], content["text/markdown"] = schemaOf(
			object{"type": "string"},
		), schemaOf(object{"type": "string"})
	}
	return object{
		"operationId": name, "summary": doc, "tags": []string{tag}, "parameters": params,
		"requestBody": object{"required": len(in.Required) > 0, "content": object{"application/json": schemaOf(in)}},
		"responses":   responses(op.Doc, content, slices.Sorted(statuses())...),
	}
}

// statuses are what operations that fail are answered with.
func statuses() func(func(int) bool) {
	return func(yield func(int) bool) {
		seen := map[int]bool{}
		for _, s := range ops.Statuses {
			if !seen[s.HTTP] && !yield(s.HTTP) {
				return
			}
			seen[s.HTTP] = true
		}
		for _, s := range []int{400, 401, 413, 415, 429, 500} {
			if !yield(s) {
				return
			}
		}
	}
}

func responses(doc string, content object, failures ...int) object {
	out := object{"200": object{"description": doc, "content": content}}
	for _, s := range failures {
		out[fmt.Sprint(s)] = object{"$ref": "#/components/responses/Problem"}
	}
	return out
}

func passageObject(p passage, schemas map[string]*jsonschema.Schema) (object, error) {
	if schemas[p.out.Name()] == nil {
		s, err := ops.SchemaOf(p.out)
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", p.name, err)
		}
		schemas[p.out.Name()] = s
	}
	body := object{LinesType: schemaOf(object{"type": "string", "description": "one JSON object a line"})}
	if p.in != nil {
		in, err := ops.SchemaOf(p.in)
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", p.name, err)
		}
		body = object{"application/json": schemaOf(in)}
	}
	answer := object{"application/json": schemaOf(ref(p.out.Name()))}
	doc := p.doc
	if p.leaves {
		answer = object{LinesType: schemaOf(object{"type": "string", "description": "one JSON object a line"})}
		doc += " What was sent is counted in the trailer " + ReplyTrailer + ", as " + p.out.Name() + "."
	}
	return object{
		"operationId": p.name, "summary": doc, "tags": []string{"streams"},
		"parameters":  []object{parameter("Agent"), parameter("Session"), parameter("Space"), parameter("Project")},
		"requestBody": object{"content": body},
		"responses":   responses(p.doc, answer, slices.Sorted(statuses())...),
	}, nil
}

// otherRoutes are the routes that are neither operations nor streams of records.
func otherRoutes() map[string]object {
	get := func(id, doc, media string, schema any, more ...object) object {
		return object{"get": object{
			"operationId": id, "summary": doc, "tags": []string{"server"}, "parameters": append([]object{}, more...),
			"responses": responses(doc, object{media: schemaOf(schema)}, 401, 403),
		}}
	}
	text := object{"type": "string"}
	health := get("healthz", "Does the server serve? Nobody is asked who they are.", "application/json",
		object{"type": "object", "required": []string{"status"},
			"properties": object{"status": object{"type": "string"}}})
	health["get"].(object)["security"] = []object{}
	return map[string]object{
		"/v1/events": get("events", "What comes into the store, as it comes: events named record and jobs.",
			"text/event-stream", text,
			header("Last-Event-ID", "Where to go on: the id of the event seen last."),
			query("after", "The same, where no header can be sent."),
			query("space", "As Stemma-Space, where no header can be sent."),
			query("project", "As Stemma-Project, where no header can be sent.")),
		"/openapi.json": get("openapi", "This description.", "application/json", object{"type": "object"}),
		"/metrics":      get("metrics", "Request counts, in Prometheus format.", "text/plain", text),
		"/healthz":      health,
		access.CodePath: {"post": object{
			"operationId": "signin_code", "summary": "A code with which one browser signs in, once. Only for the owner's " +
				"token.", "tags": []string{"server"},
			"responses": object{"201": object{
				"description": "The code.", "content": object{"application/json": schemaOf(ref("Code"))},
			},
				"401": object{"$ref": "#/components/responses/Problem"}, "403": object{"$ref": "#/components/responses/Problem"}},
		}},
	}
}

package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"time"

	goModule "golang.org/x/mod/module"
)

// The parts of an SPDX 2.3 document that a list of modules needs.
type document struct {
	Version       string         `json:"spdxVersion"`
	License       string         `json:"dataLicense"`
	ID            string         `json:"SPDXID"`
	Name          string         `json:"name"`
	Namespace     string         `json:"documentNamespace"`
	Creation      creation       `json:"creationInfo"`
	Packages      []spdxPackage  `json:"packages"`
	Relationships []relationship `json:"relationships"`
}

type creation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	ID        string        `json:"SPDXID"`
	Name      string        `json:"name"`
	Version   string        `json:"versionInfo"`
	From      string        `json:"downloadLocation"`
	Analyzed  bool          `json:"filesAnalyzed"`
	Concluded string        `json:"licenseConcluded"`
	Declared  string        `json:"licenseDeclared"`
	Copyright string        `json:"copyrightText"`
	Refs      []externalRef `json:"externalRefs"`
}

type externalRef struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type relationship struct {
	From string `json:"spdxElementId"`
	Kind string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

// module is a module in a program, or Go itself.
type module struct{ path, version string }

// sbom lists the modules that are in any of the programs.
func (r *release) sbom(programs []string) ([]byte, error) {
	main, modules, err := contents(programs)
	if err != nil {
		return nil, err
	}
	d := document{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: r.base(),
		Namespace: "https://" + main + "/releases/" + r.version + "/spdx",
		Creation: creation{
			Created: r.at.Format(time.RFC3339), Creators: []string{"Tool: scripts/release.sh"},
		},
	}
	root := describe(module{main, "v" + r.version})
	d.Packages = []spdxPackage{root}
	d.Relationships = []relationship{{d.ID, "DESCRIBES", root.ID}}
	for _, m := range modules {
		p := describe(m)
		d.Packages = append(d.Packages, p)
		d.Relationships = append(d.Relationships, relationship{root.ID, "DEPENDS_ON", p.ID})
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(d)
	return out.Bytes(), err
}

// contents reads out of the programs which modules they are made of.
func contents(programs []string) (main string, modules []module, err error) {
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return "", nil, fmt.Errorf("%s: %w", program, err)
		}
		main = info.Main.Path
		modules = append(modules, module{"stdlib", info.GoVersion[len("go"):]})
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			modules = append(modules, module{m.Path, m.Version})
		}
	}
	slices.SortFunc(modules, func(a, b module) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.version, b.version))
	})
	return main, slices.Compact(modules), nil
}

// notInID is what an identifier of SPDX may not have.
var notInID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

func describe(m module) spdxPackage {
	const none = "NOASSERTION"
	from := none
	if escaped, err := goModule.EscapePath(m.path); err == nil {
		from = "https://proxy.golang.org/" + escaped + "/@v/" + m.version + ".zip"
	}
	if m.path == "stdlib" {
		from = "https://go.dev/dl/go" + m.version + ".src.tar.gz"
	}
	return spdxPackage{
		ID: "SPDXRef-" + notInID.ReplaceAllString(m.path+"-"+m.version, "-"), Name: m.path, Version: m.version,
		From: from, Concluded: none, Declared: none, Copyright: none,
		Refs: []externalRef{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + m.path + "@" + m.version}},
	}
}

package loop

import (
	"bytes"
	"embed"
)

//go:embed scenarios/*.txt
var shipped embed.FS

// Shipped returns the scenarios that stand in the program, in the order of their names.
func Shipped() ([]Scenario, error) {
	files, err := shipped.ReadDir("scenarios")
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for _, f := range files {
		text, err := shipped.ReadFile("scenarios/" + f.Name())
		if err != nil {
			return nil, err
		}
		s, err := Read(f.Name(), bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

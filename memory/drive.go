package memory

import "errors"

// KindDrive is a motivation.
const KindDrive Kind = "drive"

var driveForm = Form{
	Kind: KindDrive, Number: 7, Layer: layerIdentity,
	New:       func() Body { return new(Drive) },
	Protected: true,
	Blank:     func() Body { return &Drive{Intensity: thousand / 2} },
	Letter:    "D",
	Day:       "#a12b45",
	Night:     "#ee97a9",
	ANSI:      "35",
	Title:     "Drive",
	About:     "Motivations and their strength",
	Examples: []string{
		`stemma drive curiosity --intensity 0.7 --focus "how things fail"`,
		`stemma drive satisfy 3f9a --amount 0.2`,
		`stemma drive list`,
	},
	Fields: []Field{
		{Name: "text", In: func(b Body) any { return &b.(*Drive).Type }},
		{
			Name: "intensity", In: func(b Body) any { return &b.(*Drive).Intensity }, Most: 1,
			Usage: "0 to 1 (default 0.5)",
		},
		{
			Name: "focus", In: func(b Body) any { return &b.(*Drive).Focus }, Commas: true,
			Usage: "focus of the drive", Section: "Focus",
		},
	},
}

// Drive is what moves us, and how strongly.
type Drive struct {
	Type      string   `json:"type"`
	Intensity int      `json:"intensity"` // 0 to 1000, in thousandths
	Focus     []string `json:"focus,omitempty"`
}

// kind is drive.
func (*Drive) kind() Kind { return KindDrive }

// headline returns the type and what it is about.
func (b *Drive) headline() string {
	if len(b.Focus) == 0 {
		return b.Type
	}
	return titled(b.Type, b.Focus[0])
}

// words returns the type and the focus.
func (b *Drive) words() string { return joined(b.Type, list(b.Focus)) }

// check asks for a type.
func (b *Drive) check() error {
	return errors.Join(need("type", b.Type), checkRange("intensity", b.Intensity, 0, thousand), lines("focus", b.Focus))
}

func (*Drive) sealed() {}

func (b *Drive) write(w *writer) {
	w.texts("focus", b.Focus)
	w.number("intensity", int64(b.Intensity))
	w.say("type", b.Type)
}

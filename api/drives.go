package api

// DriveSatisfyRequest says that a drive was met.
type DriveSatisfyRequest struct {
	Ref    string   `json:"ref"`
	Amount *float64 `json:"amount,omitempty" jsonschema:"by how much it is weaker now, 0 to 1; left out is 0.2"`
	Reason string   `json:"reason,omitempty"`
}

// DriveIntensityRequest says how strong a drive is.
type DriveIntensityRequest struct {
	Ref       string   `json:"ref"`
	Intensity *float64 `json:"intensity" jsonschema:"0 to 1"`
	Reason    string   `json:"reason,omitempty"`
}

package api

// Course is how a goal or a drive stands now, as was said of it since it was written.
// Every reading takes it from here.
type Course struct {
	Status    string   `json:"status,omitempty"`    // of a goal
	Progress  string   `json:"progress,omitempty"`  // of a goal
	Intensity *float64 `json:"intensity,omitempty"` // of a drive, as it is now
}

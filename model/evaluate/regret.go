package evaluate

// Regret is what decisions cost more, on average of some rows, than the best one of each row.
type Regret struct {
	Model float64   `json:"model"`
	Each  []float64 `json:"each"` // by class: to decide so for everyone
}

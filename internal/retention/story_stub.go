package retention

type Story struct {
	Scenario Scenario
	Timeline Timeline
}

func (Story) Summary() string { return "" }
func (Story) Mermaid() string { return "" }
func (Story) Table() string   { return "" }

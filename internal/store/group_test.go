package store

// group is the expected content of several lists, by key.
type group map[string]map[string]float64

func (g group) put(key, member string, score float64) {
	if g[key] == nil {
		g[key] = map[string]float64{}
	}
	g[key][member] = score
}

package record

// SectionScore returns the score of a category or tab in lists: by position, then by id, as section_place.lua
// computes it.
func SectionScore(position int, id int64) float64 { return float64(position)*(1<<31) + float64(id) }

// Package division knows which indexes are divided into parts. An index is one slot, which a cluster cannot spread over
// its masters, so a large one is divided: each part holds the topics of some partitions, in a slot of its own, and
// pages are merged from all parts.
package division

import (
	"fmt"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Parts is into how many parts an index is divided.
const Parts = 16

// Phase is how far the division of an index is. Phases follow each other in this order, and never go back.
type Phase string

// The phases of a division.
const (
	// Whole is an index that is not divided.
	Whole Phase = ""
	// Copying has a task copy the entries to the parts. Writes go to the index and its parts, reads to the index.
	Copying Phase = "copying"
	// Reading has all entries in the parts. Writes go to both, because other processes may still read the index.
	Reading Phase = "reading"
	// Divided has nothing left in the index. It refuses writes, which go to the parts.
	Divided Phase = "divided"
)

// State is the state of the division of one index.
type State struct {
	Phase Phase
	Parts int
}

// String returns the state as it is stored: "copying 16".
func (s State) String() string {
	if s.Phase == Whole {
		return ""
	}
	return fmt.Sprintf("%s %d", s.Phase, s.Parts)
}

// Parse parses a stored state.
func Parse(text string) (State, error) {
	var s State
	if n, err := fmt.Sscanf(text, "%s %d", &s.Phase, &s.Parts); n != 2 || err != nil || s.String() != text {
		return State{}, fmt.Errorf("%q is not the state of a division", text)
	}
	if s.Phase != Copying && s.Phase != Reading && s.Phase != Divided || s.Parts < 2 || s.Parts > forum.Partitions {
		return State{}, fmt.Errorf("%q is not the state of a division", text)
	}
	return s, nil
}

// DaysField is the field of key.Divisions that has the first day whose index is divided.
const DaysField = "days"

// Field returns the field of key.Divisions for an index.
func Field(c key.Container) string {
	return strings.TrimSuffix(strings.TrimPrefix(string(c), "{ix:"), "}")
}

// Container returns the index of a field of key.Divisions.
func Container(field string) key.Container { return key.Container("{ix:" + field + "}") }

// Valid reports whether key.Divisions may have a field with this text.
func Valid(field, text string) bool {
	if field == DaysField {
		_, ok := forum.ParseDay(text)
		return ok
	}
	_, err := Parse(text)
	c := Container(field)
	category := c.Category()
	return err == nil && (c == key.FrontContainer || category != 0 && c == key.CategoryContainer(category))
}

// View is the state of all divisions at one time. The zero value has none.
type View struct {
	of   map[key.Container]State
	days forum.Day // the first day that is divided; 0 for none
}

// NewView parses the fields of key.Divisions. It ignores what it cannot parse, which a check reports.
func NewView(fields map[string]string) *View {
	v := &View{of: make(map[key.Container]State, len(fields))}
	for field, text := range fields {
		if !Valid(field, text) {
			continue
		}
		if field == DaysField {
			v.days, _ = forum.ParseDay(text)
		} else if s, err := Parse(text); err == nil {
			v.of[Container(field)] = s
		}
	}
	return v
}

// State returns the state of an index.
func (v *View) State(whole key.Container) State {
	if s, ok := v.of[whole]; ok {
		return s
	}
	if day, ok := whole.Day(); ok && v.days != 0 && day >= v.days {
		return State{Divided, Parts}
	}
	return State{}
}

// Days returns the first day whose index is divided; 0 for none.
func (v *View) Days() forum.Day { return v.days }

// Parts returns into how many parts of an index to look; 0 if it is not divided.
func (v *View) Parts(whole key.Container) int {
	if s := v.State(whole); s.Phase == Reading || s.Phase == Divided {
		return s.Parts
	}
	return 0
}

// Containers returns what to read instead of an index: itself, or its parts.
func (v *View) Containers(whole key.Container) []key.Container {
	parts := v.Parts(whole)
	if parts == 0 {
		return []key.Container{whole}
	}
	return PartsOf(whole, parts)
}

// PartsOf returns the parts of an index.
func PartsOf(whole key.Container, parts int) []key.Container {
	all := make([]key.Container, parts)
	for n := range all {
		all[n] = whole.PartNumber(n)
	}
	return all
}

// Targets returns where to write the entry of a topic: the index, a part of it, or both; "" is none.
func (v *View) Targets(whole key.Container, id int64) (index, part key.Container) {
	s := v.State(whole)
	switch s.Phase {
	case Whole:
		return whole, ""
	case Divided:
		return "", whole.Part(id, s.Parts)
	}
	return whole, whole.Part(id, s.Parts)
}

package forum

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Change is what an act on a category or tab changed: values by name, before and after. A category or tab that was
// created has none before, one that was deleted none after.
type Change struct {
	Before map[string]string `json:"before,omitempty"`
	After  map[string]string `json:"after,omitempty"`
}

// ActState is what an act has changed, before or after it.
type ActState struct{ values map[string]string }

// Name returns the name of a category or tab; nil if it was not changed. So do the others.
func (s *ActState) Name() *string { return s.text("name") }

// Description returns the description of a category.
func (s *ActState) Description() *string { return s.text("description") }

// Position returns the position of a category or tab.
func (s *ActState) Position() *int {
	n, err := strconv.Atoi(s.values["position"])
	if err != nil {
		return nil
	}
	return &n
}

// Categories returns the categories of a tab.
func (s *ActState) Categories() []CategoryID { return idsIn[CategoryID](s.values, "categories") }

// Tabs returns the tabs that show a category.
func (s *ActState) Tabs() []TabID { return idsIn[TabID](s.values, "tabs") }

func (s *ActState) text(name string) *string {
	if value, ok := s.values[name]; ok {
		return &value
	}
	return nil
}

func idsIn[ID ~int64](values map[string]string, name string) []ID {
	text, ok := values[name]
	if !ok {
		return nil
	}
	ids := []ID{}
	for word := range strings.FieldsSeq(text) {
		if id, err := ParseID[ID](word); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// sectionKinds are the kinds of acts whose detail is a Change.
var sectionKinds = []ActKind{ActCreateCategory, ActUpdateCategory, ActDeleteCategory, ActCreateTab, ActUpdateTab,
	ActDeleteTab}

// Change returns what an act changed; ok is false for acts of other kinds, and if it is malformed.
func (a *Act) Change() (c Change, ok bool) {
	return c, slices.Contains(sectionKinds, a.Kind) && json.Unmarshal([]byte(a.Detail), &c) == nil
}

// Before returns what an act changed as it was before; nil for what it created, and for other kinds.
func (a *Act) Before() *ActState {
	c, _ := a.Change()
	return stateOf(c.Before)
}

// After returns what an act changed as it was then; nil for what it deleted, and for other kinds.
func (a *Act) After() *ActState {
	c, _ := a.Change()
	return stateOf(c.After)
}

func stateOf(values map[string]string) *ActState {
	if len(values) == 0 {
		return nil
	}
	return &ActState{values}
}

package forum

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Change is what an act on a category, a tab or the site, or an EDIT, changed: values by name, before and after. A
// category or tab that was created has none before, one that was deleted none after. Of a blocklist, the entries that
// were removed are before, those that were added after, one a line.
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

// Title returns the title of a topic.
func (s *ActState) Title() *string { return s.text("title") }

// Link returns the link of a topic; "" if it had none.
func (s *ActState) Link() *string { return s.text("link") }

// Words returns the words that were removed from the blocklist, before, or added to it, after.
func (s *ActState) Words() []string { return s.lines("words") }

// Domains is Words for domains.
func (s *ActState) Domains() []string { return s.lines("domains") }

// Sees returns who sees a category.
func (s *ActState) Sees() *Audience {
	a := Audience(s.values["sees"])
	if !a.IsValid() {
		return nil
	}
	return &a
}

// Groups returns the groups whose members see a category; nil if they were not changed.
func (s *ActState) Groups() []GroupID { return idsIn[GroupID](s.values, "groups") }

// Posts returns who may post in a category, or topics without one.
func (s *ActState) Posts() *Permission { return s.permission("posts") }

// Replies is Posts for who may reply and vote.
func (s *ActState) Replies() *Permission { return s.permission("replies") }

func (s *ActState) permission(name string) *Permission {
	p := Permission(s.values[name])
	if !p.IsValid() {
		return nil
	}
	return &p
}

// Rules returns the values of rules of the site, by name.
func (s *ActState) Rules() []*RuleValue {
	var rules []*RuleValue
	for name := range RuleRanges {
		if n, err := strconv.Atoi(s.values[name]); err == nil {
			rules = append(rules, &RuleValue{Name: name, Value: n})
		}
	}
	slices.SortFunc(rules, func(a, b *RuleValue) int { return strings.Compare(a.Name, b.Name) })
	return rules
}

// RuleValues is Rules as a map.
func (s *ActState) RuleValues() map[string]int {
	values := map[string]int{}
	for _, r := range s.Rules() {
		values[r.Name] = r.Value
	}
	return values
}

// RuleValue is the value of a rule of the site: as UpdateRulesInput has it, 1 or 0 for one that is on or off.
type RuleValue struct {
	Name  string
	Value int
}

func (s *ActState) lines(name string) []string {
	if s == nil {
		return nil
	}
	text, ok := s.values[name]
	if !ok {
		return nil
	}
	return strings.Split(text, "\n")
}

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

// changeKinds are the kinds of acts whose detail is a Change.
var changeKinds = []ActKind{ActCreateCategory, ActUpdateCategory, ActDeleteCategory, ActCreateTab, ActUpdateTab,
	ActDeleteTab, ActUpdateAccess, ActUpdateRules, ActUpdateBlocklist, ActEdit}

// Change returns what an act changed; ok is false for acts of other kinds, and if it is malformed.
func (a *Act) Change() (c Change, ok bool) {
	return c, slices.Contains(changeKinds, a.Kind) && json.Unmarshal([]byte(a.Detail), &c) == nil
}

// ShowsChange reports whether a viewer may know what the act changed: those who moderate anything may, but of the
// blocklist only administrators, and of the topic of another only moderators of the site and who changed it.
func (a *Act) ShowsChange(viewer *Viewer) bool {
	switch a.Kind {
	case ActUpdateBlocklist:
		return viewer.Has(RoleAdmin)
	case ActEdit:
		return viewer.Has(RoleModerator) || viewer.Moderator() && viewer.Is(a.By)
	}
	return viewer.Moderator()
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

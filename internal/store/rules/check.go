package rules

import (
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// RuleRules: the rules of the site are known, with values that they may have, and those of a category are of one
// that exists. Repair turns others off.
const RuleRules check.Rule = "rules"

// onRules is the kind of target that is the rules of the site.
const onRules check.Kind = "rules"

// Checks returns what is checked of the rules of the site.
func (s *Store) Checks() check.Subject {
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){onRules: checkRules},
		Site:  []check.Target{{Kind: onRules}},
	}
}

// checkRules checks the rules of the site.
func checkRules(l *check.Look) {
	rules := l.Hash(key.Rules)
	l.Wait()
	for name, value := range rules.Val() {
		if c, ok := record.AccessOf(name, value); ok {
			if c != 0 && len(l.Present([]string{key.Category(c)})) == 0 {
				l.Add(RuleRules, key.Rules, check.Unset(key.Rules, name).Given(key.Category(c)), "%s is of no category",
					name)
			}
			continue
		}
		counter := name == record.BlocklistField || name == record.EpochsField
		if !(counter && record.Fields(rules.Val()).IsWholeOrNone(name, 1) || record.SoundRule(name, value)) {
			l.Add(RuleRules, key.Rules, check.Unset(key.Rules, name), "%s is %q", name, value)
		}
	}
}

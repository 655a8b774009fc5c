package moderation

import (
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// rules checks the rules of the site.
func (c checks) rules(l *check.Look) {
	rules := l.Hash(key.Rules)
	l.Wait()
	for name, value := range rules.Val() {
		if !(name == record.BlocklistField && record.Fields(rules.Val()).IsWholeOrNone(name, 1) ||
			record.SoundRule(name, value)) {
			l.Add(RuleRules, key.Rules, check.Unset(key.Rules, name), "%s is %q", name, value)
		}
	}
}

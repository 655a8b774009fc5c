package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/internal/section"
	"agora/internal/store/script"
	texts "agora/internal/text"
)

// Current returns the rules of the site, at most RulesEvery old.
func (s *Store) Current(ctx context.Context) forum.Rules {
	known, _ := s.knownRules(ctx)
	return known.rules
}

// Blocklist returns what nobody but moderators may post, as Current. It returns UNAVAILABLE if there is a blocklist
// that could not be read since the start.
func (s *Store) Blocklist(ctx context.Context) (*texts.Blocklist, error) {
	known, _ := s.knownRules(ctx)
	if known.list == nil && known.change != known.listed {
		return nil, &forum.Error{Code: forum.CodeUnavailable,
			Message: "What may be posted is unknown at the moment. Nothing was changed. Try again."}
	}
	return known.list, nil
}

// Update changes rules of the site, by their names in forum.RuleRanges; the least value turns one off. This
// process follows the new ones at once, others within RulesEvery. Unless open is true, it returns INVALID at access or
// registration if members only could use the site, and anybody could become one.
func (s *Store) Update(ctx context.Context, by *forum.Viewer, rules map[string]int, open bool) error {
	return s.UpdateAs(ctx, rules, open, s.acts.SiteRecorder(by))
}

// UpdateAs is Update with what is to be recorded.
func (s *Store) UpdateAs(ctx context.Context, rules map[string]int, open bool, r section.Recorder) error {
	call := script.RulesSet{Creation: r.Creation, Act: r.Act, Revert: r.Revert, Rules: key.Rules, Open: open}
	for name, value := range rules {
		call.Fields = append(call.Fields, script.RulesSetField{Name: name, Value: strconv.Itoa(value),
			Off: strconv.Itoa(forum.RuleRanges[name].Least())})
	}
	s.engine.Step("rules_set")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("update rules: %w", record.ScriptError(err))
	}
	return errors.Join(s.closeCopies(ctx, rules), s.siteChanged(ctx, done.Recorded, forum.ActUpdateRules, r))
}

// closeCopies closes the site in each partition of a cluster, if the rules close it: servers that cannot read the rules
// themselves follow the copies.
func (s *Store) closeCopies(ctx context.Context, rules map[string]int) error {
	if rules["access"] == forum.AccessEverybody.RuleValue() {
		return nil
	}
	return s.writeCopies(ctx)
}

// writeCopies writes the rules to each partition of a cluster.
func (s *Store) writeCopies(ctx context.Context) error {
	if s.cache.copies == nil {
		return nil
	}
	if err := s.cache.copies.Write(ctx); err != nil {
		return fmt.Errorf("tell the rules to all masters: %w", err)
	}
	return nil
}

// siteChanged reads the rules and the blocklist, and lists the act that changed them, "0" for none.
func (s *Store) siteChanged(ctx context.Context, act string, kind forum.ActKind, r section.Recorder) error {
	return errors.Join(s.cache.refresh(ctx), s.acts.ListAct(ctx, act, kind, forum.Subject{Site: true}, r))
}

// UpdateBlocklist adds entries to the list of words or domains that nobody may post, and removes others. It returns
// TOO_LONG at add.
func (s *Store) UpdateBlocklist(ctx context.Context, by *forum.Viewer, kind forum.BlockKind,
	add, remove []string) error {
	return s.UpdateBlocklistAs(ctx, kind, add, remove, s.acts.SiteRecorder(by))
}

// UpdateBlocklistAs is UpdateBlocklist with what is to be recorded.
func (s *Store) UpdateBlocklistAs(ctx context.Context, kind forum.BlockKind, add, remove []string,
	r section.Recorder) error {
	call := script.BlocklistSet{Creation: r.Creation, Act: r.Act, Revert: r.Revert,
		List: blocklistKey(kind), Rules: key.Rules, Most: forum.MaxBlocklist, Kind: "words", Add: add, Remove: remove}
	if kind == forum.BlockDomain {
		call.Kind = "domains"
	}
	s.engine.Step("blocklist_set")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("update the blocklist: %w", record.ScriptError(err))
	}
	return s.siteChanged(ctx, done.Recorded, forum.ActUpdateBlocklist, r)
}

// BlocklistEntries returns the words or domains that nobody may post, in alphabetical order.
func (s *Store) BlocklistEntries(ctx context.Context, kind forum.BlockKind) ([]string, error) {
	b := s.engine.Client.ReadBatch(ctx)
	cmd := b.ZRange(ctx, blocklistKey(kind), 0, -1)
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("read the blocklist: %w", err)
	}
	slices.Sort(cmd.Val())
	return cmd.Val(), nil
}

func blocklistKey(kind forum.BlockKind) string {
	if kind == forum.BlockDomain {
		return key.Domains
	}
	return key.Words
}

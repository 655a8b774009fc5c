package graph

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/opt"
)

// UpdateRules resolves Mutation.updateRules.
func (r mutation) UpdateRules(ctx context.Context, in model.UpdateRulesInput) (*model.UpdateRulesPayload, error) {
	rules, err := checkRules(in)
	if err != nil {
		return nil, err
	}
	if err := r.Store.Rules.Update(ctx, auth.ViewerFrom(ctx), rules,
		opt.Or(in.AllowOpenRegistration, false) || r.NoPasswords); err != nil {
		return nil, err
	}
	r.rulesChanged(ctx, rules)
	return &model.UpdateRulesPayload{Site: r.site(ctx)}, nil
}

// rulesChanged writes a line in the security log.
func (r *Resolver) rulesChanged(ctx context.Context, rules map[string]int) {
	var set []any
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		set = append(set, slog.Int(name, rules[name]))
	}
	r.secure(ctx, eventRulesChanged, slog.Group("rules", set...))
}

// checkRules returns the rules to change, by name.
func checkRules(in model.UpdateRulesInput) (map[string]int, error) {
	numbers := map[string]*int{
		"newMemberSeconds": in.NewMemberSeconds, "newMemberKarma": in.NewMemberKarma, "newMemberLinks": in.NewMemberLinks,
		"newMemberPostsPerDay": in.NewMemberPostsPerDay, "newMemberMentions": in.NewMemberMentions,
		"heldPosts": in.HeldPosts,
	}
	rules := map[string]int{}
	for name, on := range map[string]*bool{"refuseDuplicates": in.RefuseDuplicates,
		"publicModerationLog": in.PublicModerationLog, "showModerators": in.ShowModerators} {
		if on != nil {
			rules[name] = 0
			if *on {
				rules[name] = 1
			}
		}
	}
	if in.Access != nil {
		rules["access"] = in.Access.RuleValue()
	}
	if in.Registration != nil {
		rules["registration"] = in.Registration.RuleValue()
	}
	if in.InvitationsBy != nil {
		rules["invitationsBy"] = forum.InviterValue(*in.InvitationsBy)
	}
	if in.MemberList != nil {
		rules["memberList"] = in.MemberList.RuleValue()
	}
	var failed []error
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		if numbers[name] == nil {
			continue
		}
		rules[name] = *numbers[name]
		if may := forum.RuleRanges[name]; rules[name] < may.Least() || rules[name] > may.Most {
			failed = append(failed, forum.Invalid(forum.Path(name), "%s must be a number from %d to %d.", name,
				may.Least(),
				may.Most))
		}
	}
	return rules, errors.Join(failed...)
}

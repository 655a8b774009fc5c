package graph

import (
	"context"
	"fmt"
	"maps"

	"github.com/99designs/gqlgen/graphql"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/app/posting"
	"agora/internal/app/profile"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/ratelimit"
)

// MutationRules has a rule for each mutation.
var MutationRules = joined(posting.Rules, profile.Rules, map[string]app.Rule{
	"register":       {Scope: forum.SessionOnly, WhileBanned: true},
	"login":          {Scope: forum.SessionOnly, WhileBanned: true},
	"startSession":   {Scope: forum.SessionOnly, WhileBanned: true, Rate: ratelimit.Edits},
	"logout":         {Scope: forum.SessionOnly, WhileBanned: true},
	"changePassword": {Scope: forum.SessionOnly, WhileBanned: true, Password: true},
	"changeEmail":    {Scope: forum.SessionOnly, WhileBanned: true, Password: true},
	"changeLogin":    {Scope: forum.SessionOnly, Rate: ratelimit.Edits, Password: true},
	"deleteAccount":  {Scope: forum.SessionOnly, WhileBanned: true, Password: true},
	"createToken":    {Scope: forum.SessionOnly, Rate: ratelimit.Edits},
	"revokeToken":    {Scope: forum.SessionOnly, Rate: ratelimit.Edits, WhileBanned: true},

	"createInvitation": {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"revokeInvitation": {Scope: forum.ScopeModerate, Rate: ratelimit.Edits, WhileBanned: true},

	"redactRevision": {Scope: forum.ScopePost, Rate: ratelimit.Edits},

	"vote":              {Scope: forum.ScopeVote, Rate: ratelimit.Votes},
	"recordClicks":      {Scope: forum.ScopeVote, Rate: ratelimit.Clicks, WhileBanned: true},
	"markRead":          {Scope: forum.ScopeFollow, Rate: ratelimit.Clicks, WhileBanned: true},
	"follow":            {Scope: forum.ScopeFollow, Rate: ratelimit.Follows},
	"block":             {Scope: forum.ScopeFollow, Rate: ratelimit.Follows, WhileBanned: true},
	"bookmark":          {Scope: forum.ScopeFollow, Rate: ratelimit.Follows, WhileBanned: true},
	"watch":             {Scope: forum.ScopeFollow, Rate: ratelimit.Follows, WhileBanned: true},
	"createList":        {Scope: forum.ScopeFollow, Rate: ratelimit.Edits, WhileBanned: true},
	"updateList":        {Scope: forum.ScopeFollow, Rate: ratelimit.Edits, WhileBanned: true},
	"updateListMembers": {Scope: forum.ScopeFollow, Rate: ratelimit.Edits, WhileBanned: true},
	"deleteList":        {Scope: forum.ScopeFollow, Rate: ratelimit.Edits, WhileBanned: true},

	"createCategory": {Scope: forum.ScopeModerate},
	"updateCategory": {Scope: forum.ScopeModerate},
	"deleteCategory": {Scope: forum.ScopeModerate},
	"createTab":      {Scope: forum.ScopeModerate},
	"updateTab":      {Scope: forum.ScopeModerate},
	"deleteTab":      {Scope: forum.ScopeModerate},

	"report":                {Scope: forum.ScopePost},
	"resolveReports":        {Scope: forum.ScopeModerate},
	"moderate":              {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"revertAct":             {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"warn":                  {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"ban":                   {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"unban":                 {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"resolveApplication":    {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"hidePosts":             {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"setUserRole":           {Scope: forum.ScopeAdmin},
	"upsertUser":            {Scope: forum.ScopeAdmin},
	"linkAccount":           {Scope: forum.ScopeAdmin},
	"unlinkAccount":         {Scope: forum.ScopeAdmin},
	"releaseValues":         {Scope: forum.ScopeProfile, Rate: ratelimit.Edits},
	"deactivateUser":        {Scope: forum.ScopeAdmin},
	"deleteUser":            {Scope: forum.ScopeAdmin},
	"endSessions":           {Scope: forum.ScopeEndSessions, WhileBanned: true, Rate: ratelimit.Edits},
	"exportAccount":         {Scope: forum.ScopeExport, WhileBanned: true, Rate: ratelimit.Edits},
	"renewToken":            {Scope: forum.SessionOnly, WhileBanned: true, Rate: ratelimit.Edits},
	"setCategoryModerators": {Scope: forum.ScopeAdmin},
	"createGroup":           {Scope: forum.ScopeAdmin},
	"updateGroup":           {Scope: forum.ScopeAdmin},
	"deleteGroup":           {Scope: forum.ScopeAdmin},
	"setGroupManagers":      {Scope: forum.ScopeAdmin},
	"setGroupMembers":       {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"updateBlocklist":       {Scope: forum.ScopeModerate},
	"updateRules":           {Scope: forum.ScopeAdmin},
	"updateAccess":          {Scope: forum.ScopeAdmin},
	"retryTasks":            {Scope: forum.ScopeAdmin},
})

func joined(all ...map[string]app.Rule) map[string]app.Rule {
	rules := map[string]app.Rule{}
	for _, some := range all {
		maps.Copy(rules, some)
	}
	return rules
}

// mutate applies the rule of the mutation that is being executed (see app.App.Permit), calls its resolver do, and drops
// what was read before the write. Errors for the payload are returned as errs, and no payload.
func mutate[In, P any](ctx context.Context, r *Resolver, do func(context.Context, In) (*P, error),
	in In) (p *P, errs []model.UserError, err error) {
	name := graphql.GetFieldContext(ctx).Field.Name
	if rule, ok := MutationRules[name]; !ok {
		err = fmt.Errorf("the mutation %s has no rule", name)
	} else if err = r.app().Permit(ctx, rule); err == nil {
		p, err = do(ctx, in)
	}
	loader.From(ctx).EndMutation()
	if err != nil {
		errs, err = payload(ctx, err)
		return nil, errs, err
	}
	return p, nil, nil
}

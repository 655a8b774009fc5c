package graph

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/ratelimit"
)

// MutationRule is what holds for a mutation before its input is looked at. Who may call it is in the schema (`@auth`).
type MutationRule struct {
	// WhileBanned says that those who are banned from posting may call it.
	WhileBanned bool
	// Rate counts the calls; empty for none.
	Rate ratelimit.Kind
	// Password says that it asks for the viewer's password again.
	Password bool
}

// MutationRules has a rule for each mutation.
var MutationRules = map[string]MutationRule{
	"register":       {WhileBanned: true},
	"login":          {WhileBanned: true},
	"startSession":   {WhileBanned: true, Rate: ratelimit.Edits},
	"logout":         {WhileBanned: true},
	"changePassword": {WhileBanned: true, Password: true},
	"changeEmail":    {WhileBanned: true, Password: true},
	"changeLogin":    {Rate: ratelimit.Edits, Password: true},
	"updateProfile":  {Rate: ratelimit.Edits},
	"deleteAccount":  {WhileBanned: true, Password: true},

	"createTopic":    {Rate: ratelimit.Posts},
	"updateTopic":    {Rate: ratelimit.Edits},
	"tagTopic":       {Rate: ratelimit.Edits},
	"deleteTopic":    {Rate: ratelimit.Edits, WhileBanned: true},
	"createComment":  {Rate: ratelimit.Comments},
	"updateComment":  {Rate: ratelimit.Edits},
	"deleteComment":  {Rate: ratelimit.Edits, WhileBanned: true},
	"redactRevision": {Rate: ratelimit.Edits},

	"vote":              {Rate: ratelimit.Votes},
	"recordClicks":      {Rate: ratelimit.Clicks, WhileBanned: true},
	"markRead":          {Rate: ratelimit.Clicks, WhileBanned: true},
	"follow":            {Rate: ratelimit.Follows},
	"block":             {Rate: ratelimit.Follows, WhileBanned: true},
	"bookmark":          {Rate: ratelimit.Follows, WhileBanned: true},
	"watch":             {Rate: ratelimit.Follows, WhileBanned: true},
	"createList":        {Rate: ratelimit.Edits, WhileBanned: true},
	"updateList":        {Rate: ratelimit.Edits, WhileBanned: true},
	"updateListMembers": {Rate: ratelimit.Edits, WhileBanned: true},
	"deleteList":        {Rate: ratelimit.Edits, WhileBanned: true},

	"createCategory": {},
	"updateCategory": {},
	"deleteCategory": {},
	"createTab":      {},
	"updateTab":      {},
	"deleteTab":      {},

	"report":                {},
	"resolveReports":        {},
	"moderate":              {Rate: ratelimit.Edits},
	"revertAct":             {Rate: ratelimit.Edits},
	"warn":                  {Rate: ratelimit.Edits},
	"ban":                   {Rate: ratelimit.Edits},
	"unban":                 {Rate: ratelimit.Edits},
	"hidePosts":             {Rate: ratelimit.Edits},
	"setUserRole":           {},
	"upsertUser":            {},
	"deactivateUser":        {},
	"deleteUser":            {},
	"endSessions":           {WhileBanned: true, Rate: ratelimit.Edits},
	"renewToken":            {WhileBanned: true, Rate: ratelimit.Edits},
	"setCategoryModerators": {},
	"updateBlocklist":       {},
	"updateRules":           {},
	"retryTasks":            {},
}

// admit applies the rule of the mutation that is being executed: BANNED if a ban keeps the viewer from it, RATE_LIMITED
// if the rate is used up. It costs no read: the ban was read with the session.
func (r mutation) admit(ctx context.Context) error {
	name := graphql.GetFieldContext(ctx).Field.Name
	rule, ok := MutationRules[name]
	if !ok {
		return fmt.Errorf("the mutation %s has no rule", name)
	}
	v := auth.ViewerFrom(ctx)
	if v != nil && !rule.WhileBanned && v.Ban.InForce(r.Store.Now()) {
		return forum.Banned(nil, *v.Ban)
	}
	if rule.Rate == "" {
		return nil
	}
	return r.Rates.Take(rule.Rate, auth.CallerFrom(ctx))
}

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
	// Scope is what an API token needs for it, or SessionOnly.
	Scope forum.Scope
}

// MutationRules has a rule for each mutation.
var MutationRules = map[string]MutationRule{
	"register":       {Scope: SessionOnly, WhileBanned: true},
	"login":          {Scope: SessionOnly, WhileBanned: true},
	"startSession":   {Scope: SessionOnly, WhileBanned: true, Rate: ratelimit.Edits},
	"logout":         {Scope: SessionOnly, WhileBanned: true},
	"changePassword": {Scope: SessionOnly, WhileBanned: true, Password: true},
	"changeEmail":    {Scope: SessionOnly, WhileBanned: true, Password: true},
	"changeLogin":    {Scope: SessionOnly, Rate: ratelimit.Edits, Password: true},
	"updateProfile":  {Scope: forum.ScopeProfile, Rate: ratelimit.Edits},
	"deleteAccount":  {Scope: SessionOnly, WhileBanned: true, Password: true},
	"createToken":    {Scope: SessionOnly, Rate: ratelimit.Edits},
	"revokeToken":    {Scope: SessionOnly, Rate: ratelimit.Edits, WhileBanned: true},

	"createInvitation": {Scope: forum.ScopeModerate, Rate: ratelimit.Edits},
	"revokeInvitation": {Scope: forum.ScopeModerate, Rate: ratelimit.Edits, WhileBanned: true},

	"createTopic":    {Scope: forum.ScopePost, Rate: ratelimit.Posts},
	"updateTopic":    {Scope: forum.ScopePost, Rate: ratelimit.Edits},
	"tagTopic":       {Scope: forum.ScopePost, Rate: ratelimit.Edits},
	"deleteTopic":    {Scope: forum.ScopePost, Rate: ratelimit.Edits, WhileBanned: true},
	"createComment":  {Scope: forum.ScopePost, Rate: ratelimit.Comments},
	"updateComment":  {Scope: forum.ScopePost, Rate: ratelimit.Edits},
	"deleteComment":  {Scope: forum.ScopePost, Rate: ratelimit.Edits, WhileBanned: true},
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
	"renewToken":            {Scope: SessionOnly, WhileBanned: true, Rate: ratelimit.Edits},
	"setCategoryModerators": {Scope: forum.ScopeAdmin},
	"updateBlocklist":       {Scope: forum.ScopeModerate},
	"updateRules":           {Scope: forum.ScopeAdmin},
	"retryTasks":            {Scope: forum.ScopeAdmin},
}

// admit applies the rule of the mutation that is being executed: BANNED if a ban keeps the viewer from it, RATE_LIMITED
// if the rate is used up. It costs no read: the ban was read with the session. What is done as a member who has not
// come yet is the member's coming.
func (r mutation) admit(ctx context.Context) error {
	name := graphql.GetFieldContext(ctx).Field.Name
	rule, ok := MutationRules[name]
	if !ok {
		return fmt.Errorf("the mutation %s has no rule", name)
	}
	v := auth.ViewerFrom(ctx)
	if v != nil && !rule.WhileBanned && v.Ban.InForce(r.Store.Engine.Now()) {
		return forum.Banned(nil, *v.Ban)
	}
	if rule.Rate != "" {
		if err := r.Rates.Take(rule.Rate, auth.CallerFrom(ctx)); err != nil {
			return err
		}
	}
	if v == nil || !v.Prepared {
		return nil
	}
	err := r.Store.Accounts.Arrive(ctx, v.ID)
	v.Prepared = err != nil
	return err
}

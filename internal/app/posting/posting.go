// Package posting has the use cases of topics and comments.
package posting

import (
	"agora/internal/app"
	"agora/internal/forum"
	"agora/internal/ratelimit"
)

// Rules are the rules of the mutations.
var Rules = map[string]app.Rule{
	"createTopic":   {Scope: forum.ScopePost, Rate: ratelimit.Posts},
	"updateTopic":   {Scope: forum.ScopePost, Rate: ratelimit.Edits},
	"tagTopic":      {Scope: forum.ScopePost, Rate: ratelimit.Edits},
	"deleteTopic":   {Scope: forum.ScopePost, Rate: ratelimit.Edits, WhileBanned: true},
	"createComment": {Scope: forum.ScopePost, Rate: ratelimit.Comments},
	"updateComment": {Scope: forum.ScopePost, Rate: ratelimit.Edits},
	"deleteComment": {Scope: forum.ScopePost, Rate: ratelimit.Edits, WhileBanned: true},
}

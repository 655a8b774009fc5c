package usual

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"agora/bench/usual/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store"
	"agora/internal/store/posts"
)

// withViewer reads the session of the request.
func withViewer(s *store.Store, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := r.Header.Get("Authorization")
		if header == "" {
			next.ServeHTTP(w, r)
			return
		}
		secret, _ := strings.CutPrefix(header, "Bearer ")
		token, ok := auth.ParseToken(secret)
		if !ok {
			http.Error(w, "bad token", http.StatusUnauthorized)
			return
		}
		read := s.Read(r.Context())
		session := read.Sessions.Session(token.User, token.Digest())
		if err := read.Exec(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		viewer, _, err := session()
		if err != nil || viewer == nil {
			http.Error(w, "no such session", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), auth.Caller{Viewer: viewer})))
	})
}

// numberOf parses a global id of one type.
func numberOf(id, want string) (int64, error) {
	typ, key, ok := globalid.Split(id)
	if !ok || typ != want {
		return 0, errors.New("not the id of a " + want)
	}
	return forum.ParseID[int64](key)
}

// CreateTopic resolves Mutation.createTopic.
func (r mutation) CreateTopic(ctx context.Context, in model.CreateTopicInput) (*model.CreateTopicPayload, error) {
	viewer := auth.ViewerFrom(ctx)
	if viewer == nil {
		return nil, errors.New("sign in first")
	}
	id, err := numberOf(in.Category.ID, globalid.Category)
	if err != nil {
		return nil, err
	}
	found, err := from(ctx).categories.Load(ctx, id)()
	if err != nil || found == nil {
		return nil, errors.Join(err, errors.New("no such category"))
	}
	made, err := r.store.Posts.CreateTopic(ctx, posts.NewTopic{Author: viewer.ID, Kind: forum.Discussion,
		Title:   in.Title,
		Content: in.Content, Format: forum.Markdown, Category: forum.CategoryID(id)})
	if err != nil {
		return nil, err
	}
	p := &model.CreateTopicPayload{Errors: []*model.UserError{}}
	p.Topic, err = from(ctx).topics.Load(ctx, int64(made))()
	return p, err
}

// CreateComment resolves Mutation.createComment.
func (r mutation) CreateComment(ctx context.Context, in model.CreateCommentInput) (*model.CreateCommentPayload, error) {
	viewer := auth.ViewerFrom(ctx)
	if viewer == nil {
		return nil, errors.New("sign in first")
	}
	id, err := numberOf(in.TopicID, globalid.Topic)
	if err != nil {
		return nil, err
	}
	made, err := r.store.Posts.CreateComment(
		ctx,
		viewer,
		posts.NewComment{Topic: forum.TopicID(id), Content: in.Content, Format: forum.Markdown},
	)
	if err != nil {
		return nil, err
	}
	p := &model.CreateCommentPayload{Errors: []*model.UserError{}}
	p.Comment, err = from(ctx).comments.Load(ctx, int64(made))()
	return p, err
}

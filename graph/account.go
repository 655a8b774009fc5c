package graph

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store"
	"agora/internal/text"
)

// Register resolves Mutation.register.
func (r mutation) Register(ctx context.Context, in model.RegisterInput) (*model.RegisterPayload, error) {
	id, err := r.register(ctx, in)
	var s signedIn
	if err == nil {
		s, err = r.signIn(ctx, id)
	}
	p := &model.RegisterPayload{Viewer: s.viewer, Token: s.token, ExpiresAt: s.expiresAt}
	p.Errors, err = payload(err, nil)
	return done(ctx, p, err)
}

// register checks the input, all fields at once, and makes the account.
func (r mutation) register(ctx context.Context, in model.RegisterInput) (forum.UserID, error) {
	login, loginFold, loginErr := text.Login(forum.Input("login"), in.Login)
	email, emailFold, emailErr := text.Email(forum.Input("email"), in.Email)
	name, nameErr := login, error(nil)
	if in.Name != nil {
		name, nameErr = text.Line(forum.Input("name"), *in.Name, 1, forum.MaxName)
	}
	passwordErr := auth.CheckPassword(forum.Input("password"), in.Password, loginFold, emailFold)
	if err := errors.Join(loginErr, nameErr, emailErr, passwordErr, checkKey(in.IdempotencyKey)); err != nil {
		return 0, err
	}
	hash, err := r.Hasher.Hash(ctx, in.Password)
	if err != nil {
		return 0, err
	}
	return r.Store.Register(ctx, store.NewUser{
		Login: login, LoginFold: loginFold, Name: name, Email: email, EmailFold: emailFold,
		PasswordHash: hash, Key: deref(in.IdempotencyKey),
		SamePassword: func(hash string) (bool, error) { return r.Hasher.Verify(ctx, hash, in.Password) },
	})
}

// Login resolves Mutation.login. Unknown users and wrong passwords get the same
// answer after the same work.
func (r mutation) Login(ctx context.Context, in model.LoginInput) (*model.LoginPayload, error) {
	fold, isEmail := text.FoldEmail(in.Identifier), strings.Contains(in.Identifier, "@")
	if !isEmail {
		fold, _ = text.FoldLogin(in.Identifier)
	}
	found, err := r.Store.Credentials(ctx, fold, isEmail)
	if err != nil {
		return nil, err
	}
	ok, err := r.Hasher.Verify(ctx, found.PasswordHash, in.Password)
	if err != nil {
		return nil, err
	}
	var s signedIn
	if ok {
		s, err = r.signIn(ctx, found.User)
	} else {
		err = &forum.Error{Code: forum.CodeWrongCredentials, Path: forum.Input("password"), Message: "Unknown user or wrong password."}
	}
	p := &model.LoginPayload{Viewer: s.viewer, Token: s.token, ExpiresAt: s.expiresAt}
	p.Errors, err = payload(err, nil)
	return done(ctx, p, err)
}

// Logout resolves Mutation.logout.
func (r mutation) Logout(ctx context.Context, in model.LogoutInput) (*model.LogoutPayload, error) {
	id, err := r.logout(ctx, in)
	p := &model.LogoutPayload{}
	if err == nil {
		p.EndedSessionID = &id
	}
	p.Errors, err = payload(err, given{"sessionId": deref(in.SessionID)})
	return done(ctx, p, err)
}

func (r mutation) logout(ctx context.Context, in model.LogoutInput) (string, error) {
	viewer := auth.ViewerFrom(ctx)
	name := auth.SessionName(viewer.Session)
	if in.SessionID != nil {
		o, err := parseObject(forum.Input("sessionId"), *in.SessionID)
		if err != nil {
			return "", err
		}
		if o.typ != model.TypeSession || !viewer.Is(forum.UserID(o.number)) {
			return "", forum.NotFound(forum.Input("sessionId"), "session", *in.SessionID)
		}
		name = o.session
	}
	id := model.GlobalID(model.TypeSession, strconv.FormatInt(int64(viewer.ID), 10)+":"+name)
	return id, r.Store.EndSession(ctx, viewer.ID, name)
}

// signedIn is what a payload tells of a new session; all nil on failure.
type signedIn struct {
	viewer    *model.Viewer
	token     *string
	expiresAt *forum.Time
}

func (r mutation) signIn(ctx context.Context, id forum.UserID) (signedIn, error) {
	token, err := auth.NewToken(id)
	if err != nil {
		return signedIn{}, err
	}
	ends := r.Store.Now() + forum.Time(forum.SessionLife.Milliseconds())
	if err := r.Store.StartSession(ctx, id, token.Digest(), ends); err != nil {
		return signedIn{}, err
	}
	secret := token.String()
	return signedIn{&model.Viewer{UserID: id}, &secret, &ends}, nil
}

// checkKey checks an idempotency key, if there is one.
func checkKey(key *string) error {
	if key == nil {
		return nil
	}
	return text.Key(forum.Input("idempotencyKey"), *key)
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// done ends a mutation: what was read before it is forgotten, so that its
// payload shows what it wrote. An error that is not for the payload takes the
// payload's place.
func done[P any](ctx context.Context, p *P, err error) (*P, error) {
	loader.From(ctx).Forget()
	if err != nil {
		return nil, err
	}
	return p, nil
}

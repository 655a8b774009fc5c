package accounts

import (
	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// UserCounts reads the counts of active users.
func (r Read) UserCounts(users []forum.UserID) func() ([]forum.UserCounts, error) {
	fields := make([]func() record.Fields, len(users))
	for i, id := range users {
		fields[i] = record.Get(r.read.Ctx, r.read.Batch, key.User(id), "topics", "followers", "following", "karma")
	}
	return func() ([]forum.UserCounts, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		counts := make([]forum.UserCounts, len(users))
		for i, read := range fields {
			f := read()
			counts[i] = forum.UserCounts{Topics: f.Int("topics"), Followers: f.Int("followers"),
				Following: f.Int("following"), Karma: f.Int("karma")}
		}
		return counts, nil
	}
}

// Emails reads the e-mails of active users; "" for none. They may only be shown to the users themselves.
func (r Read) Emails(users []forum.UserID) func() ([]string, error) {
	fields := make([]func() record.Fields, len(users))
	for i, id := range users {
		fields[i] = record.Get(r.read.Ctx, r.read.Batch, key.User(id), "state", "email")
	}
	return func() ([]string, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		emails := make([]string, len(users))
		for i, read := range fields {
			if f := read(); f["state"] == catalogue.UserActive {
				emails[i] = f["email"]
			}
		}
		return emails, nil
	}
}

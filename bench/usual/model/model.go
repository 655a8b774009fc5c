// Package model has the objects of the usual setup. generated.go is generated from its schema.
package model

import "time"

// Timeline is the list of all topics.
type Timeline struct{}

// TopicConnection is a page of topics.
type TopicConnection struct {
	IDs        []int64
	PageInfo   *PageInfo
	TotalCount int
}

// Topic is a topic as stored in Redis.
type Topic struct {
	ID, Title, Content, Format string
	Number                     int
	AuthorID, CategoryID       int64
	CreatedAt, LastActiveAt    time.Time
	CommentCount               int
	Votes                      *VoteSummary
}

// CommentConnection is a page of comments.
type CommentConnection struct {
	IDs        []int64
	TotalCount int
}

// Comment is a comment as stored in Redis.
type Comment struct {
	ID, Content, Format, Mentions string
	Number, Depth, ReplyCount     int
	AuthorID                      int64
	Votes                         *VoteSummary
}

// Category is a category as stored in Redis.
type Category struct {
	ID   int64
	Name string
}

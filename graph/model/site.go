package model

import "agora/internal/forum"

// Site is the data of the installation that need no read.
type Site struct {
	Name, TimeZone string
	Rules          *forum.Rules
	SignIn         *SignIn
}

// PublicModerationLog reports whether everybody may read the moderation log.
func (s *Site) PublicModerationLog() bool { return s.Rules.PublicLog }

// ShowModerators reports whether members learn who acted.
func (s *Site) ShowModerators() bool { return s.Rules.ShowModerators }

// Uncategorised is who may do what with topics that have no category.
func (s *Site) Uncategorised() *forum.CategoryAccess {
	a := s.Rules.In(0)
	return &a
}

// Access is who may use the site.
func (s *Site) Access() forum.SiteAccess { return s.Rules.Access }

// Registration is who may register.
func (s *Site) Registration() forum.RegistrationMode { return s.Rules.Registration }

// VotingWindowSeconds is how long an article accepts votes.
func (*Site) VotingWindowSeconds() int { return int(forum.VotingWindow / 1000) }

// SecondsPerVote is the weight of a vote in the order SCORE.
func (*Site) SecondsPerVote() int { return forum.VoteWeight }

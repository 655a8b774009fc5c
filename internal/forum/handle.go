package forum

// Fields is a set of the fields of one type of object, one bit each.
type Fields uint32

// Handle records how much of an object is loaded. It is embedded in the types that a response may
// refer to before reading them. The zero Handle is that of a fully loaded object.
type Handle struct {
	Status HandleStatus
	// Known are the loaded fields. Other fields except the id must not be used.
	Known Fields
	// Asked are the fields that the next pipeline reads.
	Asked Fields
	// Alias reports that this is a second handle of the object, with other rules: a list shows
	// deleted topics to no viewer.
	Alias bool
	// Failure is the error of a failed read.
	Failure error
	// TextFailure is why a topic or comment that was read has no content: the response has no room for it.
	TextFailure error
}

// HandleStatus is the state of a handle.
type HandleStatus uint8

// The states of a handle.
const (
	// Whole is an object with all its fields loaded.
	Whole HandleStatus = iota
	// Named is an object with some fields loaded, or none.
	Named
	// Absent is an object that does not exist or that the viewer may not see.
	Absent
	// Failed is an object that could not be read.
	Failed
)

// Missing reports whether the object does not exist or the viewer may not see it.
func (h *Handle) Missing() bool { return h.Status == Absent }

// Lacks returns the fields of want that are not loaded but can be.
func (h *Handle) Lacks(want Fields) Fields {
	if h.Status != Named {
		return 0
	}
	return want &^ h.Known
}

// The fields of a topic. Whether it may be seen depends on TopicBase.
const (
	TopicFieldState Fields = 1 << iota
	TopicFieldAuthor
	TopicFieldKind
	TopicFieldTitle
	TopicFieldContent
	TopicFieldFormat
	TopicFieldLink
	TopicFieldCategory
	TopicFieldCreated
	TopicFieldEdited
	TopicFieldDeletedAt
	TopicFieldActive
	TopicFieldClicks
	TopicFieldComments
	TopicFieldUp
	TopicFieldDown
	TopicFieldTags
	TopicFieldDay
	TopicFieldDayComments
	TopicFieldDayBefore
	TopicFieldMentions
	TopicFieldRevision
	TopicFieldEditor
	TopicFieldSince
	TopicFieldHiddenAt
	topicEnd

	TopicBase = TopicFieldState | TopicFieldAuthor
	TopicAll  = topicEnd - 1
	// TopicText is the fields that its HTML is made from, TopicVotes those of its vote counts.
	TopicText  = TopicFieldContent | TopicFieldFormat | TopicFieldMentions
	TopicVotes = TopicFieldState | TopicFieldKind | TopicFieldCreated | TopicFieldUp | TopicFieldDown
	// TopicPresent is the fields of the present revision.
	TopicPresent = TopicFieldRevision | TopicFieldEditor | TopicFieldSince | TopicFieldAuthor | TopicFieldCreated |
		TopicFieldEdited | TopicFieldTitle | TopicFieldLink | TopicFieldContent | TopicFieldFormat
	// TopicDays is the fields of its comments on the latest two days.
	TopicDays = TopicFieldDay | TopicFieldDayComments | TopicFieldDayBefore
)

// The fields of a comment. Whether it may be seen depends on CommentBase.
const (
	CommentFieldTopic Fields = 1 << iota
	CommentFieldDeletedAt
	CommentFieldAuthor
	CommentFieldParent
	CommentFieldDepth
	CommentFieldNumber
	CommentFieldContent
	CommentFieldFormat
	CommentFieldCreated
	CommentFieldEdited
	CommentFieldReplies
	CommentFieldMentions
	CommentFieldUp
	CommentFieldDown
	CommentFieldRevision
	CommentFieldEditor
	CommentFieldSince
	CommentFieldState
	CommentFieldHiddenAt
	commentEnd

	// CommentFieldSeen is not a field: it records that the viewer may see the comment's topic.
	CommentFieldSeen = commentEnd

	CommentBase = CommentFieldTopic | CommentFieldDeletedAt | CommentFieldAuthor | CommentFieldState
	CommentAll  = commentEnd - 1
	// CommentText is the fields that its HTML is made from, CommentVotes those of its vote counts.
	CommentText  = CommentFieldContent | CommentFieldFormat | CommentFieldMentions
	CommentVotes = CommentFieldDeletedAt | CommentFieldUp | CommentFieldDown
	// CommentPresent is the fields of the present revision.
	CommentPresent = CommentFieldRevision | CommentFieldEditor | CommentFieldSince | CommentFieldAuthor |
		CommentFieldCreated | CommentFieldEdited | CommentFieldContent | CommentFieldFormat
)

// The fields of a user. Whether the account exists depends on UserBase.
const (
	UserFieldState Fields = 1 << iota
	UserFieldLogin
	UserFieldFold
	UserFieldName
	UserFieldRole
	UserFieldCreated
	UserFieldTopics
	UserFieldFollowers
	UserFieldFollowing
	UserFieldBio
	UserFieldWebsite
	UserFieldAvatar
	UserFieldKarma
	UserFieldOldFold
	UserFieldBan
	UserFieldBanUntil
	UserFieldBanReason
	UserFieldBanAct
	UserFieldModerates
	userEnd

	UserBase = UserFieldState
	UserAll  = userEnd - 1
	// UserBan is the fields of its ban.
	UserBan = UserFieldBan | UserFieldBanUntil | UserFieldBanReason | UserFieldBanAct
)

// The fields of a list of users.
const (
	ListFieldOwner Fields = 1 << iota
	ListFieldName
	listEnd

	ListAll = listEnd - 1
)

// The fields of a category.
const (
	CategoryFieldName Fields = 1 << iota
	CategoryFieldDescription
	CategoryFieldPosition
	categoryEnd

	CategoryAll = categoryEnd - 1
)

// The fields of a tab.
const (
	TabFieldName Fields = 1 << iota
	TabFieldCategoryCount
	TabFieldPosition
	tabEnd

	TabAll = tabEnd - 1
)

// The fields of a tag.
const (
	TagFieldName Fields = 1 << iota
	tagEnd

	TagAll = tagEnd - 1
)

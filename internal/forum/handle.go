package forum

// Fields is a set of the fields of one type of object, one bit each.
type Fields uint32

// Handle tells how much is known of an object. It is embedded in those that a
// response may name before it has read them. The zero Handle is that of an object
// which was read whole.
type Handle struct {
	Status HandleStatus
	// Known are the fields that hold what was read; nothing else is to be looked at
	// but the id.
	Known Fields
	// Asked are the fields that the next pipeline reads.
	Asked Fields
	// Alias tells that it stands for the object of its id where other rules hold: a
	// list shows deleted topics to nobody.
	Alias bool
	// Failure is why it could not be read.
	Failure error
}

// HandleStatus is what became of an object that was named.
type HandleStatus uint8

// The statuses of a handle.
const (
	// Whole is an object all of whose fields are known.
	Whole HandleStatus = iota
	// Named is an object of which some fields are known, or none.
	Named
	// Absent is an object that does not exist, or not for the viewer.
	Absent
	// Failed is an object that could not be read.
	Failed
)

// Gone tells that there is no such object, or none for the viewer.
func (h *Handle) Missing() bool { return h.Status == Absent }

// Lacks are the fields of want that are not known and could be read.
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
	topicEnd

	TopicBase = TopicFieldState | TopicFieldAuthor
	TopicAll  = topicEnd - 1
	// TopicText is what its HTML is made from, TopicVotes the sum of its votes.
	TopicText  = TopicFieldContent | TopicFieldFormat | TopicFieldMentions
	TopicVotes = TopicFieldState | TopicFieldKind | TopicFieldCreated | TopicFieldUp | TopicFieldDown
	// TopicDays are its comments of the latest two days.
	TopicDays = TopicFieldDay | TopicFieldDayComments | TopicFieldDayBefore
)

// The fields of a comment. Whether it may be seen, and by whom it is, depends on
// CommentBase.
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
	commentEnd

	// CommentFieldSeen is no field: it tells that the comment's topic may be seen.
	CommentFieldSeen = commentEnd

	CommentBase = CommentFieldTopic | CommentFieldDeletedAt
	CommentAll  = commentEnd - 1
	// CommentText is what its HTML is made from, CommentVotes the sum of its votes.
	CommentText  = CommentFieldContent | CommentFieldFormat | CommentFieldMentions
	CommentVotes = CommentFieldDeletedAt | CommentFieldUp | CommentFieldDown
)

// The fields of a user. Whether the account is there depends on UserBase.
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
	userEnd

	UserBase = UserFieldState
	UserAll  = userEnd - 1
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
	categoryEnd

	CategoryAll = categoryEnd - 1
)

// The fields of a tab.
const (
	TabFieldName Fields = 1 << iota
	TabFieldCategoryCount
	tabEnd

	TabAll = tabEnd - 1
)

// The fields of a tag.
const (
	TagFieldName Fields = 1 << iota
	tagEnd

	TagAll = tagEnd - 1
)

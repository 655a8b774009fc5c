package forum

// Posted is a text that members write and others see. Its length and its characters are checked; the blocklist, the
// limits of new members and moderators' copies apply to it, and it is erased with what it belongs to. The catalogue says
// which fields are such texts, and tests try all of this with each.
type Posted struct {
	// Input is the field of inputs in which it is sent.
	Input string
	Form  Form
	// Least and Most bound its length, in code points after NFC normalisation.
	Least, Most int
}

// Form is what a text may consist of.
type Form string

// Forms of texts.
const (
	FormLine    Form = "a line of plain text"
	FormText    Form = "plain text"
	FormMarkup  Form = "Markdown or HTML"
	FormAddress Form = "an http or https URL"
)

// The texts that members write.
var (
	PostedLogin   = Posted{"login", FormLine, MinLogin, MaxLogin}
	PostedName    = Posted{"name", FormLine, 1, MaxName}
	PostedBio     = Posted{"bio", FormText, 0, MaxBio}
	PostedWebsite = Posted{"website", FormAddress, 0, MaxLink}
	PostedAvatar  = Posted{"avatarUrl", FormAddress, 0, MaxLink}
	PostedTitle   = Posted{"title", FormLine, 1, MaxTitle}
	PostedTopic   = Posted{"content", FormMarkup, 0, MaxContent}
	PostedStatus  = Posted{"content", FormMarkup, 1, MaxStatus} // a topic's, too
	PostedComment = Posted{"content", FormMarkup, 1, MaxContent}
	PostedLink    = Posted{"link", FormAddress, 1, MaxLink}
	PostedTag     = Posted{"tags", FormLine, 1, MaxTag} // each of them
)

package httpserver

import "agora/internal/httpserver/playground"

// playgroundTabs are the example operations that the playground opens with. They work with the demo data, one after
// the other. Lines are short, because GraphiQL does not break them.
var playgroundTabs = []playground.Tab{
	{Name: "Front page", Query: `# The newest activity with authors, categories, votes
# and first replies: one request, a handful of round
# trips to Redis however many rows (extensions.redis).
query FrontPage($topics: Int!, $comments: Int!) {
  front {
    topics(first: $topics) {
      nodes {
        id
        title
        lastActiveAt
        commentCount
        author { login name }
        category { name }
        votes { up down net }
        comments(first: $comments) {
          nodes { number content author { login } }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`, Variables: `{
  "topics": 20,
  "comments": 5
}`},
	{Name: "New replies, live", Query: `# Shows replies as they arrive, the newest first, until
# you stop it. The demo's bot posts one now and then;
# run Reply in another window, too. The eventId of the
# last one, as the variable after, returns later events.
subscription commentAdded(
  $topicId: ID!
  $after: String
) {
  commentAdded(topic: {id: $topicId}, after: $after) {
    eventId
    kind
    comment {
      number
      content
      author { login }
      topic { title }
    }
  }
}`, Variables: `{
  "topicId": "VG9waWM6MTMxODUz"
}`},
	{Name: "Changes, live", Query: `# Comments of a topic as they are posted, edited, voted on
# and deleted: kind says which. Run Reply, or vote on a
# comment in the forum, in another window.
subscription commentsUpdated(
  $topicId: ID!
  $after: String
) {
  commentsUpdated(topic: {id: $topicId}, after: $after) {
    eventId
    kind
    comment {
      number
      state
      content
      votes { net }
      author { login }
    }
  }
}`, Variables: `{
  "topicId": "VG9waWM6MTMxODUz"
}`},
	{Name: "Front page, live", Query: `# Topics added, moved or removed on the front page, with
# the last reply of each. timelineId is the id of any
# timeline, here of front(orderBy: {field: ACTIVE}).
subscription timelineUpdated($timelineId: ID!) {
  timelineUpdated(timelineId: $timelineId) {
    eventId
    kind
    edge {
      node {
        title
        commentCount
        comments(last: 1) {
          nodes { number content author { login } }
        }
      }
    }
  }
}`, Variables: `{
  "timelineId": "VGltZWxpbmU6ZnJvbnQ6MDphY3RpdmU6ZGVzYw"
}`},
	{Name: "Topic in depth", Query: `# A topic with its comments and the first replies to each.
query TopicInDepth($number: Int!) {
  topic(by: {number: $number}) {
    id
    title
    contentHtml
    clickCount
    author { login }
    comments(first: 30, topLevelOnly: true) {
      nodes {
        number
        contentHtml
        author { login }
        replyCount
        replies(first: 5) {
          nodes { number content author { login } }
        }
      }
    }
  }
}`, Variables: `{
  "number": 131853
}`},
	{Name: "Thread", Query: `# The comments of a topic as a tree, from top to bottom:
# each stands after the one it replies to, depth says how
# far to indent it.
query Thread($number: Int!, $after: String) {
  topic(by: {number: $number}) {
    title
    thread(
      orderBy: TOP
      maxDepth: 5
      first: 30
      after: $after
    ) {
      nodes {
        number
        depth
        content
        author { login }
        votes { net }
        replyCount
      }
      pageInfo { hasNextPage endCursor }
      totalCount
    }
  }
}`, Variables: `{
  "number": 131853,
  "after": null
}`},
	{Name: "Categories and tabs", Query: `# A tab shows the topics of its categories as one list.
query CategoriesAndTabs {
  tabs(first: 10) {
    nodes {
      name
      topicCount
      categories(first: 20) { nodes { name topicCount } }
      timeline { topics(first: 3) { nodes { title } } }
    }
  }
}`},
	{Name: "Rankings", Query: `# Recommendations with their explanations, the
# day's most discussed topics, the week's best.
query Rankings {
  recommended: front(orderBy: {field: HOT}) {
    topics(first: 5) {
      edges {
        rank
        score
        node {
          id
          title
          votes { up down }
          tags { name }
        }
        explanation {
          formula
          terms { name value }
          votesToPass
        }
      }
    }
  }
  today: dayRank {
    topics(first: 5) {
      asOf
      edges {
        score
        node { title commentCountToday }
      }
    }
  }
  week: front(orderBy: {field: TOP}, period: WEEK) {
    topics(first: 5) { nodes { title votes { net } } }
  }
  tag(name: "redis") {
    name
    topicCount
    timeline {
      topics(first: 3) { nodes { title } }
    }
  }
}`},
	{Name: "Register", Query: `# A login and an e-mail can be taken once: if the answer
# says TAKEN, change both in Variables.
#
# The page keeps the token of the answer (in
# sessionStorage, until this browser tab is closed) and
# sends it with what you run next, such as Post.
mutation Register($input: RegisterInput!) {
  register(input: $input) {
    token
    viewer { user { id login } }
    errors { message code path }
  }
}`, Variables: `{
  "input": {
    "login": "newcomer",
    "email": "newcomer@example.com",
    "password": "correct horse battery"
  }
}`},
	{Name: "Post", Query: `# Needs a token: run Register first.
mutation Post($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic { id number title category { name } }
    errors { message code path }
  }
}`, Variables: `{
  "input": {
    "title": "Hello",
    "content": "My *first* topic.",
    "category": {"name": "Programming"},
    "tags": ["beginners"]
  }
}`},
	{Name: "Reply", Query: `# Needs a token: run Register first.
#
# topicId is the topic of TopicInDepth; the id of any
# other will do, such as the one that Post has answered.
mutation Reply($input: CreateCommentInput!) {
  createComment(input: $input) {
    comment {
      id
      number
      contentHtml
      topic { title commentCount }
    }
    errors { message code path }
  }
}`, Variables: `{
  "input": {
    "topicId": "VG9waWM6MTMxODUz",
    "content": "Thank you, that *helped*."
  }
}`},
	{Name: "Vote", Query: `# Needs a token: run Register first. Run it again with
# DOWN or NONE: a call says what is wanted, and changed
# reports whether anything is otherwise now.
mutation Vote($input: VoteInput!) {
  vote(input: $input) {
    changed
    subject {
      id
      votes { up down net viewerVote closesAt }
    }
    errors { message code path }
  }
}`, Variables: `{
  "input": {
    "subjectId": "VG9waWM6MTMxODUz",
    "direction": "UP"
  }
}`},
	{Name: "Follow", Query: `# Needs a token: run Register first.
#
# targetId is a user, category or tag: here it is the
# author of TopicInDepth. Their posts are in Home at once.
mutation Follow($input: FollowInput!) {
  follow(input: $input) {
    changed
    target {
      __typename
      id
      followerCount
      viewerIsFollowing
    }
    viewer { user { followingCount } }
    errors { message code path }
  }
}`, Variables: `{
  "input": {
    "targetId": "VXNlcjoyNjk",
    "following": true
  }
}`},
	{Name: "Home", Query: `# Run Register first, and then Follow.
query Home($topics: Int!, $comments: Int!) {
  viewer {
    home {
      topics(first: $topics) {
        nodes {
          id
          kind
          title
          createdAt
          author { login name viewerIsFollowing }
          votes { up down net viewerVote }
          comments(first: $comments) {
            nodes { number content author { login } }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`, Variables: `{
  "topics": 20,
  "comments": 5
}`},
	{Name: "Page on", Query: `# Run it, put pageInfo.endCursor of the answer into the
# variable after, and run it again.
query PageOn($after: String) {
  front(orderBy: {field: CREATED}) {
    topics(first: 5, after: $after) {
      nodes { number title createdAt }
      pageInfo { endCursor hasNextPage }
      totalCount
    }
  }
}`, Variables: `{
  "after": null
}`},
	{Name: "Account", Query: `# Needs a token: run Register first.
query Account {
  viewer {
    email
    user { login role }
    sessions {
      id
      createdAt
      lastSeenAt
      expiresAt
      userAgent
      isCurrent
    }
  }
}`},
}

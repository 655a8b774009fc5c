package httpserver

import "agora/internal/httpserver/playground"

// playgroundTabs are the example operations that the playground opens with.
var playgroundTabs = []playground.Tab{
	{Name: "Front page", Query: `# The newest activity with authors, categories, votes and first replies: one request,
# a handful of round trips to Redis however many rows (see extensions.redis).
query FrontPage {
  front {
    topics(first: 20) {
      nodes {
        id
        title
        lastActiveAt
        commentCount
        author { login name }
        category { name }
        votes { up down net }
        comments(first: 5) {
          nodes { number content author { login } }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`},
	{Name: "Topic in depth", Query: `query Topic($number: Int!) {
  topic(by: {number: $number}) {
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
        replies(first: 5) { nodes { number content author { login } } }
      }
    }
  }
}`, Variables: `{"number": 131853}`},
	{Name: "Categories and tabs", Query: `query Rooms {
  tabs(first: 10) {
    nodes {
      name
      topicCount
      categories(first: 20) { nodes { name topicCount } }
      timeline { topics(first: 3) { nodes { title } } }
    }
  }
}`},
	{Name: "Register", Query: `# Put the token into the headers below: {"Authorization": "Bearer …"}
mutation Register($input: RegisterInput!) {
  register(input: $input) {
    token
    viewer { user { id login } }
    errors { message code path }
  }
}`, Variables: `{"input": {"login": "newcomer", "email": "newcomer@example.com", "password": "correct horse battery"}}`},
	{Name: "Post", Query: `mutation Post($input: CreateTopicInput!) {
  createTopic(input: $input) {
    topic { id number title category { name } }
    errors { message code path }
  }
}`, Variables: `{"input": {"title": "Hello", "content": "My *first* topic.", "category": {"name": "Programming"}}}`},
	{Name: "Reply", Query: `mutation Reply($input: CreateCommentInput!) {
  createComment(input: $input) {
    comment { id number contentHtml topic { title commentCount } }
    errors { message code path }
  }
}`, Variables: `{"input": {"topicId": "put the id of a topic here", "content": "Welcome!"}}`},
	{Name: "Page on", Query: `# Put pageInfo.endCursor into the variable after, and run it again.
query Page($after: String) {
  front(orderBy: {field: CREATED}) {
    topics(first: 5, after: $after) {
      nodes { number title createdAt }
      pageInfo { endCursor hasNextPage }
      totalCount
    }
  }
}`, Variables: `{"after": null}`},
}

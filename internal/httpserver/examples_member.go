package httpserver

import "agora/internal/httpserver/playground"

// memberTabs are the examples for those who have an account, and for moderators, after those of playgroundTabs.
var memberTabs = []playground.Tab{
	{Name: "Notifications", Query: `# Needs a token: run Register first. Somebody who has just
# registered has none: sign in as a member of the demo.
query Notifications($after: String) {
  viewer {
    unreadNotificationCount
    notifications(first: 10, after: $after) {
      nodes {
        id
        reason
        isRead
        actor { login }
        subject {
          __typename
          ... on Comment { number excerpt topic { title } }
          ... on Topic { number title }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`, Variables: `{
  "after": null
}`},
	{Name: "Mark as read", Query: `# Needs a token: run Register first.
#
# Here it marks the comments of TopicInDepth. It takes a
# commentId, timelineId or notificationId as well, or
# allNotifications: true.
mutation MarkRead($input: MarkReadInput!) {
  markRead(input: $input) {
    target {
      ... on Topic {
        title
        viewerUnreadCommentCount
      }
    }
    viewer { unreadNotificationCount }
    errors { message code path }
  }
}`, Variables: `{
  "input": {
    "topicId": "VG9waWM6MTMxODUz"
  }
}`},
	{Name: "Report", Query: `# Needs a token: run Register first.
#
# Moderators find the topic of TopicInDepth in Reports,
# as it is now, whatever its author does to it.
mutation Report($input: ReportInput!) {
  report(input: $input) {
    subject { ... on Topic { id title } }
    errors { message code path }
  }
}`, Variables: `{
  "input": {
    "subjectId": "VG9waWM6MTMxODUz",
    "reason": "OFF_TOPIC",
    "note": "This is only a try."
  }
}`},
	{Name: "Reports", Query: `# For moderators: forget the token at the bottom of the
# page, and sign in as a moderator of the demo.
query Reports {
  reportQueue(first: 10) {
    nodes {
      subjectId
      throughReport
      reasons { reason count }
      author { login }
      subject {
        ... on Topic { title content }
        ... on Comment { content }
        ... on User { login bio }
      }
      evidence { cause takenAt title content }
    }
  }
}`},
	{Name: "Resolve reports", Query: `# For moderators. The topic is that of Report; throughReport
# says which reports were seen, as Reports answers it.
mutation ResolveReports($input: ResolveReportsInput!) {
  resolveReports(input: $input) {
    changed
    case { state reportCount }
    errors { message code path }
  }
}`, Variables: `{
  "input": {
    "subjectId": "VG9waWM6MTMxODUz",
    "throughReport": 1,
    "outcome": "DISMISSED"
  }
}`},
	{Name: "Moderate", Query: `# For moderators. Run it again with UNPIN, or with LOCK,
# HIDE and what ends these. The log has the act.
mutation Moderate($input: ModerateInput!) {
  moderate(input: $input) {
    changed
    subject { ... on Topic { title state } }
    act { action reason createdAt moderator { login } }
    errors { message code path }
  }
}`, Variables: `{
  "input": {
    "subjectId": "VG9waWM6MTMxODUz",
    "action": "PIN",
    "reason": "OTHER",
    "note": "Read this first."
  }
}`},
}

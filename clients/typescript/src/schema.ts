/** Which types each interface and union has. Caches need it to match fragments. */
export const possibleTypes: Record<string, string[]> = {
  Node: [
    'ApiToken', 'Category', 'Comment', 'Group', 'Invitation', 'ModerationAct', 'Notification', 'Session', 'Tab', 'Tag',
    'Timeline', 'Topic', 'User', 'UserList', 'Viewer',
  ],
  Followable: ['Category', 'Tag', 'User'],
  Votable: ['Comment', 'Topic'],
  NotificationSubject: ['Comment', 'Topic', 'User'],
  ModerationSubject: ['Comment', 'Topic', 'User'],
  ActSubject: ['Category', 'Comment', 'Tab', 'Topic', 'User'],
  Payload: [
    'BanPayload', 'BlockPayload', 'BookmarkPayload', 'ChangeEmailPayload', 'ChangeLoginPayload',
    'ChangePasswordPayload', 'CreateCategoryPayload', 'CreateCommentPayload', 'CreateGroupPayload',
    'CreateInvitationPayload', 'CreateListPayload', 'CreateTabPayload', 'CreateTokenPayload', 'CreateTopicPayload',
    'DeactivateUserPayload', 'DeleteAccountPayload', 'DeleteCategoryPayload', 'DeleteCommentPayload',
    'DeleteGroupPayload', 'DeleteListPayload', 'DeleteTabPayload', 'DeleteTopicPayload', 'DeleteUserPayload',
    'EndSessionsPayload', 'ExportAccountPayload', 'FollowPayload', 'HidePostsPayload', 'LinkAccountPayload',
    'LoginPayload', 'LogoutPayload', 'MarkReadPayload', 'ModeratePayload', 'RecordClicksPayload',
    'RedactRevisionPayload', 'RegisterPayload', 'ReleaseValuesPayload', 'RenewTokenPayload', 'ReportPayload',
    'ResolveApplicationPayload', 'ResolveReportsPayload', 'RetryTasksPayload', 'RevertActPayload',
    'RevokeInvitationPayload', 'RevokeTokenPayload', 'SetCategoryModeratorsPayload', 'SetGroupManagersPayload',
    'SetGroupMembersPayload', 'SetUserRolePayload', 'StartSessionPayload', 'TagTopicPayload', 'UnbanPayload',
    'UnlinkAccountPayload', 'UpdateAccessPayload', 'UpdateBlocklistPayload', 'UpdateCategoryPayload',
    'UpdateCommentPayload', 'UpdateGroupPayload', 'UpdateListMembersPayload', 'UpdateListPayload',
    'UpdateProfilePayload', 'UpdateRulesPayload', 'UpdateTabPayload', 'UpdateTopicPayload', 'UpsertUserPayload',
    'VotePayload', 'WarnPayload', 'WatchPayload',
  ],
  UserError: [
    'BannedError', 'BlockedTextError', 'ConflictError', 'ForbiddenError', 'InvalidInputError', 'NewMemberError',
    'NotFoundError', 'RateLimitedError', 'RejectedError', 'TakenError', 'VotingClosedError',
  ],
};

/** The connections, by the type and field that has them. */
export const connections: Record<string, string[]> = {
  Query: ['applications', 'categories', 'groups', 'moderationLog', 'reportQueue', 'tabs', 'tags', 'users'],
  Timeline: ['topics'],
  Topic: ['comments', 'revisions', 'thread', 'voters'],
  Comment: ['replies', 'revisions'],
  User: ['comments', 'followers', 'following'],
  UserList: ['members'],
  Group: ['members'],
  Viewer: ['blocked', 'lists', 'notifications'],
  Tab: ['categories'],
  ReportCase: ['reports'],
};

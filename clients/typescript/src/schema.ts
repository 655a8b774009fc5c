/** Which types each interface and union has. Caches need it to match fragments. */
export const possibleTypes: Record<string, string[]> = {
  Node: [
    'Category', 'Comment', 'Notification', 'Session', 'Tab', 'Tag', 'Timeline', 'Topic', 'User', 'UserList', 'Viewer',
  ],
  Followable: ['Category', 'Tag', 'User'],
  Votable: ['Comment', 'Topic'],
  NotificationSubject: ['Comment', 'Topic', 'User'],
  UserError: [
    'ForbiddenError', 'InvalidInputError', 'NotFoundError', 'RateLimitedError', 'TakenError', 'VotingClosedError',
  ],
};

/** The connections, by the type and field that has them. */
export const connections: Record<string, string[]> = {
  Query: ['categories', 'tabs', 'tags', 'users'],
  Timeline: ['topics'],
  Topic: ['comments', 'thread', 'voters'],
  Comment: ['replies'],
  User: ['comments', 'followers', 'following'],
  UserList: ['members'],
  Viewer: ['blocked', 'lists', 'notifications'],
  Tab: ['categories'],
};

/** A row of `Topic.thread`; select these fields. */
export interface ThreadEdge {
  cursor: string;
  hasGapBefore?: boolean;
  node: { id: string; depth: number; parent?: { id: string } | null };
}

/** A page of `Topic.thread`, or several that were read one after the other. */
export interface ThreadPage<E extends ThreadEdge> {
  edges: readonly E[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

/**
 * Places an edge of `commentsUpdated`, `commentAdded` or `createComment` in a thread with the same `orderBy` and
 * `maxDepth`, and returns the page as it is then. A comment that is shown is replaced. A new one is last among the
 * replies to its parent, or first with NEWEST; it is left out if the page ends before its place, or its parent is not
 * shown.
 */
export function place<E extends ThreadEdge, P extends ThreadPage<E>>(
  page: P, edge: E | null | undefined, orderBy: 'OLDEST' | 'NEWEST' = 'OLDEST',
): P {
  if (!edge) return page;
  const edges = [...page.edges];
  const shown = edges.findIndex(({ node }) => node.id === edge.node.id);
  if (shown >= 0) {
    const { cursor, hasGapBefore } = edges[shown]!;
    edges[shown] = { ...edge, cursor, ...(hasGapBefore !== undefined && { hasGapBefore }) };
    return { ...page, edges };
  }
  const { depth, parent } = edge.node;
  const above = parent ? edges.findIndex(({ node }) => node.id === parent.id) : -1;
  if (parent && above < 0) return page;
  let at = above + 1;
  if (orderBy === 'OLDEST') while (at < edges.length && edges[at]!.node.depth >= depth) at += 1;
  const last = at === edges.length;
  if (last && page.pageInfo.hasNextPage && (orderBy === 'OLDEST' || above < 0)) return page;
  const after = edges[at];
  if (orderBy === 'OLDEST' && after?.hasGapBefore) {
    // What is left out precedes the new comment.
    edges[at] = { ...after, hasGapBefore: false };
    edges.splice(at, 0, { ...edge, hasGapBefore: true });
  } else {
    edges.splice(at, 0, edge);
  }
  return { ...page, edges, pageInfo: { ...page.pageInfo, ...(last && { endCursor: edge.cursor }) } };
}

// The documents of relay.mjs, from which relay-compiler wrote __generated__:
// relay/compile.sh.
import { graphql } from 'relay-runtime';

export const front = graphql`
  query documentsFrontQuery($first: Int!, $after: String) {
    front(orderBy: { field: CREATED }) {
      id
      topics(first: $first, after: $after) @connection(key: "front_topics") {
        edges { cursor rank score node { id title author { login } } }
      }
    }
  }
`;

export const topic = graphql`
  query documentsTopicQuery($id: ID!, $first: Int!) {
    topic(by: { id: $id }) {
      id
      commentCount
      comments(first: $first, topLevelOnly: true) @connection(key: "topic_comments") {
        edges { cursor node { id content author { login } } }
      }
    }
  }
`;

export const createTopic = graphql`
  mutation documentsCreateTopicMutation($input: CreateTopicInput!, $timeline: ID!, $connections: [ID!]!) {
    createTopic(input: $input) {
      topicEdge(timelineId: $timeline) @prependEdge(connections: $connections) {
        cursor rank score node { id title author { login } }
      }
      errors { code }
    }
  }
`;

export const deleteTopic = graphql`
  mutation documentsDeleteTopicMutation($input: DeleteTopicInput!, $connections: [ID!]!) {
    deleteTopic(input: $input) {
      deletedTopicId @deleteEdge(connections: $connections)
      errors { code }
    }
  }
`;

export const createComment = graphql`
  mutation documentsCreateCommentMutation($input: CreateCommentInput!, $connections: [ID!]!) {
    createComment(input: $input) {
      comment { topic { id commentCount } }
      commentEdge @appendEdge(connections: $connections) { cursor node { id content author { login } } }
      errors { code }
    }
  }
`;

export const deleteComment = graphql`
  mutation documentsDeleteCommentMutation($input: DeleteCommentInput!, $connections: [ID!]!) {
    deleteComment(input: $input) {
      deletedCommentId @deleteEdge(connections: $connections)
      comment { topic { id commentCount } }
      errors { code }
    }
  }
`;

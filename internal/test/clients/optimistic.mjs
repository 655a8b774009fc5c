import { gql } from '@apollo/client';

const document = gql`mutation Vote($input: VoteInput!) {
  vote(input: $input) { subject { id votes { subjectId up net viewerVote } } errors { message code path } }
}`;

// voteUp shows a vote at once on what has none of the viewer. With the answer, what the server has takes its place: if it
// refused, the former votes.
export function voteUp(client, { __typename, id, votes }) {
  return client.mutate({
    mutation: document,
    variables: { input: { subjectId: id, direction: 'UP' } },
    optimisticResponse: {
      vote: {
        __typename: 'VotePayload',
        subject: { __typename, id, votes: { ...votes, up: votes.up + 1, net: votes.net + 1, viewerVote: 'UP' } },
        errors: [],
      },
    },
  });
}

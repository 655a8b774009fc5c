'use client';

import { useRouter } from 'next/navigation';

const VOTE = `mutation ($in: VoteInput!) { vote(input: $in) { errors { message } } }`;

export function Vote({ topic }) {
  const { refresh } = useRouter();
  const voted = topic.votes.viewerVote === 'UP';
  const vote = async () => {
    await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: VOTE, variables: { in: { subjectId: topic.id, direction: voted ? 'NONE' : 'UP' } } }),
    });
    refresh(); // renders the page again, for this visitor
  };
  return <button aria-pressed={voted} onClick={vote}>{topic.votes.up} votes</button>;
}

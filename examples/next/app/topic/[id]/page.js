import { notFound } from 'next/navigation';
import { ask } from '../../agora';
import { Vote } from './vote';

export default async function Page({ params }) {
  const { viewer, topic } = await ask(`query ($id: ID!) {
    viewer { user { login } }
    topic(by: {id: $id}) { id title votes { up viewerVote } }
  }`, await params);
  if (!topic) notFound();
  return (
    <main>
      <p>{viewer ? `Signed in as ${viewer.user.login}` : 'Signed out'}</p>
      <h1>{topic.title}</h1>
      <Vote topic={topic} />
    </main>
  );
}

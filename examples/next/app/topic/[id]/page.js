import { notFound } from 'next/navigation';
import { ask } from '../../agora';
import { Vote } from './vote';

export default async function Page({ params }) {
  const { viewer, topic, barred } = await ask(`query ($id: ID!) {
    viewer { user { login } }
    topic(by: {id: $id}) { id title votes { up viewerVote } }
  }`, await params);
  if (!topic) notFound();
  return (
    <main>
      <p>{viewer ? `Signed in as ${viewer.user.login}` : 'Signed out'}</p>
      {barred && <p role="alert">{barred.code === 'BANNED'
        ? `You are banned until ${barred.until ?? 'further notice'}, for ${barred.reason}` : 'Your account is deactivated'}</p>}
      <h1>{topic.title}</h1>
      <Vote topic={topic} />
    </main>
  );
}

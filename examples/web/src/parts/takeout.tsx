import { ExportAccountDocument } from '../gql/graphql.ts';
import { useChange } from '../lib/client.ts';
import { say } from './toasts.tsx';

/** Downloads what the site keeps about the viewer: the address is good for one download. */
export function Takeout() {
  const ask = useChange(ExportAccountDocument);
  async function download() {
    const { exportAccount } = await ask({});
    if (exportAccount?.url) location.assign(exportAccount.url);
    else if (exportAccount?.errors[0]) say(exportAccount.errors[0].message);
  }
  return (
    <section className="panel"><h2>Your data</h2>
      <p>All that this site keeps about you, as a ZIP file of JSON lines.</p>
      <button onClick={() => void download()}>Download my data</button>
    </section>
  );
}

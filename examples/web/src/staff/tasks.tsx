import { RetryTasksDocument, TasksDocument, type TasksFragment } from '../gql/graphql.ts';
import { useChange, useData } from '../lib/client.ts';
import { count } from '../lib/format.ts';
import { Empty, Skeleton, Time, Trouble } from '../parts/basics.tsx';
import { say } from '../parts/toasts.tsx';
import { Managed } from './manage.tsx';
import { subjectOf } from './words.ts';

type Dead = TasksFragment['deadTasks'][number];

function Task({ task, retry }: { task: Dead; retry: () => void }) {
  const subject = subjectOf(task);
  return (
    <li className="panel" data-task={task.name}>
      <p className="meta">
        <strong>{task.work ?? 'unknown work'}</strong>
        {subject && <a href={subject.href} dir="auto">{subject.name}</a>}
        <span>given up <Time at={task.givenUpAt} /> after {count(task.attempts, 'attempt')}</span>
      </p>
      <p className="excerpt"><code>{task.name}</code> {task.failure}</p>
      <button className="quiet" onClick={retry}>Retry<span className="hidden"> {task.name}</span></button>
    </li>
  );
}

/** What the servers have still to do, and what they have given up. */
function All() {
  const { data, error, refresh } = useData(TasksDocument, {}, { requestPolicy: 'cache-and-network' });
  const run = useChange(RetryTasksDocument);
  const retry = (name: string | null) => void run({ name }).then(
    ({ retryTasks: result }) => say(
      result?.errors[0]?.message ?? `${count(result?.retriedCount ?? 0, 'task')} will be tried again.`,
    ),
    (fault: Error) => say(fault.message),
  );
  const tasks = data?.tasks;
  if (!tasks) return error ? <Trouble error={error} retry={refresh} /> : <Skeleton rows={3} />;
  return (
    <>
      <div className="actions">
        <p>{tasks.due} due, {tasks.waiting} waiting, {tasks.dead} given up</p>
        <button className="quiet" onClick={refresh}>Look again</button>
        {tasks.dead > 0 && <button className="primary" onClick={() => retry(null)}>Retry all</button>}
      </div>
      {tasks.dead === 0 && <Empty>Nothing was given up.</Empty>}
      <ul className="plain">
        {tasks.deadTasks.map((task) => <Task key={task.name} task={task} retry={() => retry(task.name)} />)}
      </ul>
      {tasks.dead > tasks.deadTasks.length && <p className="hint">Others are left out.</p>}
    </>
  );
}

export const Tasks = () => (
  <Managed at="/manage/tasks" lead="What the servers do in the background, such as notifications"><All /></Managed>
);

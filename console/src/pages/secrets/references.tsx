import type { ReactNode } from 'react';
import { DataTable } from '../../kit/data-table.js';
import { Empty } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { pathOf } from '../../api/request.js';
import { Filter } from '../../kit/choices.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Ago } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
import {
  hasProblem,
  type Reference,
  resolutionOf,
  rotationOf,
  formatSeconds,
  type LabeledStatus,
  type Use,
} from './secret.js';
import { useWrite } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';

/** Renders the state of every reference in use. */
export function References({ references }: { readonly references: readonly Reference[] }): ReactNode {
  const [{ show }, setUrl] = useUrlState({ show: 'all' });
  const withProblems = references.filter(hasProblem);
  return (
    <DataTable
      label="References"
      columns={COLUMNS}
      rows={show === 'trouble' && withProblems.length > 0 ? withProblems : references}
      keyOf={({ reference }) => reference}
      sort="resolves"
      filters={
        <Filter
          label="Show"
          value={show}
          onChange={(next) => setUrl({ show: next })}
          options={[
            { value: 'all', label: `All (${references.length})` },
            { value: 'trouble', label: `With problems (${withProblems.length})` },
          ]}
        />
      }
      empty={
        <Empty title="No references in use">
          No setting refers to a secret. To use a secret, write <code>$VAULT_path#field</code> as the value of
          a setting.
        </Empty>
      }
    />
  );
}

const COLUMNS: readonly Column<Reference>[] = [
  {
    key: 'reference',
    title: 'Reference',
    cell: ({ reference }) => <code className="gh-breakable">{reference}</code>,
    sortBy: ({ reference }) => reference,
    text: ({ reference }) => reference,
  },
  {
    key: 'resolves',
    title: 'Resolves',
    cell: (row) => <Resolves row={row} />,
    sortBy: ({ resolves }) => (resolves === false ? 0 : resolves === null ? 1 : 2),
    text: ({ cause, fix }) => `${cause ?? ''} ${fix ?? ''}`,
  },
  {
    key: 'usedBy',
    title: 'Used by',
    cell: ({ usedBy }) => <UsedBy uses={usedBy} />,
    text: ({ usedBy }) => usedBy.map(({ name, pointer }) => `${name} ${pointer}`).join(' '),
  },
  {
    key: 'lease',
    title: 'Lease left',
    cell: ({ leaseSeconds, renewable }) =>
      leaseSeconds === null ? (
        <span className="gh-quiet">no lease</span>
      ) : (
        `${formatSeconds(leaseSeconds)}${renewable === true ? ', renewed' : ''}`
      ),
    sortBy: ({ leaseSeconds }) => leaseSeconds ?? undefined,
  },
  {
    key: 'version',
    title: 'Version',
    cell: ({ version }) => version ?? <span className="gh-quiet">none</span>,
    sortBy: ({ version }) => version ?? undefined,
  },
  {
    key: 'rotation',
    title: 'Rotation',
    cell: (row) => <StateLabel state={rotationOf(row)} />,
    sortBy: ({ rotation }) => rotation,
    text: ({ rotation }) => rotation,
  },
  {
    key: 'fetched',
    title: 'Confirmed',
    cell: ({ fetchedAt }) => <Ago at={fetchedAt} />,
    sortBy: ({ fetchedAt }) => fetchedAt ?? undefined,
  },
  { key: 'test', title: 'Test', cell: ({ reference }) => <TestReference reference={reference} /> },
];

/** Renders a state as icon and word. */
function StateLabel({ state: { status, word } }: { readonly state: LabeledStatus }): ReactNode {
  return <StatusLabel status={status}>{word}</StatusLabel>;
}

function Resolves({ row }: { readonly row: Reference }): ReactNode {
  return (
    <>
      <StateLabel state={resolutionOf(row)} />
      {row.cause !== null && <p>{row.cause}</p>}
      {row.fix !== null && <p className="gh-quiet">{row.fix}</p>}
    </>
  );
}

function UsedBy({ uses }: { readonly uses: readonly Use[] }): ReactNode {
  return (
    <ul className="gh-plain-list">
      {uses.map(({ kind, name, pointer }) => (
        <li key={`${kind} ${name} ${pointer}`}>
          {kind === 'adapter' ? <Link to={pathOf(['adapters', name])}>{name}</Link> : 'settings'}{' '}
          <code className="gh-quiet">{pointer}</code>
        </li>
      ))}
    </ul>
  );
}

interface TestReply {
  readonly ok: boolean;
  readonly cause: string | null;
  readonly fix: string | null;
}

/** Reads one reference from Vault now, and shows whether it has a value. */
function TestReference({ reference }: { readonly reference: string }): ReactNode {
  const { may } = useSession();
  const { mutate, data, error, isPending } = useWrite<TestReply>(['/console/secrets']);
  if (!may('testSecret')) return null;
  const reply = data?.data;
  return (
    <>
      <Button
        isSmall
        isBusy={isPending}
        label={`Test ${reference}`}
        onPress={() => mutate({ method: 'POST', path: '/console/secrets/test', body: { reference } })}
      >
        Test
      </Button>
      <div role="status">
        {error && <StatusLabel status="warning">{error.message}</StatusLabel>}
        {!error && reply?.ok === true && <StatusLabel status="good">resolves</StatusLabel>}
        {!error && reply?.ok === false && (
          <StatusLabel status="bad">{reply.cause ?? 'does not resolve'}</StatusLabel>
        )}
      </div>
    </>
  );
}

import type { ReactNode } from 'react';
import './secrets.css';
import type { ApiProblem } from '../../api/problem.js';
import { useWrite } from '../../api/queries.js';
import { pathOf } from '../../api/request.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { Filter } from '../../kit/choices.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { PathText } from '../../kit/path-text.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { Time } from '../../kit/time.js';
import { useUrlState } from '../../kit/url-state.js';
import { rich } from '../../text/rich.js';
import { formatSpan } from '../../text/span.js';
import { textOf } from '../../text/text.js';
import {
  hasProblem,
  isCauseOfVault,
  proofStatusOf,
  type Reference,
  referenceStatusOf,
  rotationTextOf,
  type Secrets,
  type Use,
  type Vault,
} from './secret.js';

const text = textOf('secrets');

/** Renders the state of every reference in use. */
export function References({ vault, references }: Pick<Secrets, 'vault' | 'references'>): ReactNode {
  const [{ show }, setUrl] = useUrlState({ show: 'all' });
  const withProblems = references.filter(hasProblem);
  return (
    <div className="gh-secrets">
      <DataTable
        label={text('references')}
        columns={columns(vault)}
        rows={show === 'trouble' && withProblems.length > 0 ? withProblems : references}
        keyOf={({ reference }) => reference}
        sort="status"
        filters={
          <Filter
            label={text('show')}
            value={show}
            onChange={(next) => setUrl({ show: next })}
            options={[
              { value: 'all', label: text('all', { count: references.length }) },
              { value: 'trouble', label: text('withProblems', { count: withProblems.length }) },
            ]}
          />
        }
        empty={
          <Empty title={text('emptyTitle')}>
            {rich(text, 'emptyBody', { code: (children) => <code>{children}</code> })}
          </Empty>
        }
      />
    </div>
  );
}

const RANKS = ['bad', 'warning', 'busy', 'off', 'good'];

function columns(vault: Vault | null): readonly Column<Reference>[] {
  return [
    {
      key: 'reference',
      title: text('reference'),
      cell: (row) => <ReferenceCell row={row} />,
      sortBy: ({ reference }) => reference,
      text: ({ reference }) => reference,
    },
    {
      key: 'status',
      card: 'line',
      title: text('status'),
      cell: (row) => <StatusCell row={row} hasCause={!isCauseOfVault(row, vault)} />,
      sortBy: (row) => RANKS.indexOf(referenceStatusOf(row).status),
      text: (row) => `${referenceStatusOf(row).word} ${row.cause ?? ''} ${row.fix ?? ''}`,
    },
    {
      key: 'usedBy',
      card: 'line',
      title: text('usedBy'),
      cell: ({ usedBy }) => <UsedBy uses={usedBy} />,
      text: ({ usedBy }) =>
        usedBy.map((use) => `${use.name} ${use.pointer} ${proofStatusOf(use)?.word ?? ''}`).join(' '),
    },
    {
      key: 'version',
      title: text('version'),
      cell: ({ version }) => version ?? <span className="gh-quiet">{text('noVersion')}</span>,
      sortBy: ({ version }) => version ?? undefined,
    },
    {
      key: 'lease',
      title: text('lease'),
      cell: (row) => <LeaseCell row={row} />,
      sortBy: ({ leaseSeconds }) => leaseSeconds ?? undefined,
    },
    {
      key: 'checked',
      title: text('lastChecked'),
      cell: ({ fetchedAt }) => <Time at={fetchedAt} />,
      sortBy: ({ fetchedAt }) => fetchedAt ?? undefined,
    },
  ];
}

function LeaseCell({ row: { leaseSeconds, renewable, rotation } }: { readonly row: Reference }): ReactNode {
  if (rotation === 'ended') return text('leaseEnded');
  if (leaseSeconds === null) return <span className="gh-quiet">{text('noLease')}</span>;
  return text(renewable === true ? 'leaseRenewed' : 'leaseLeft', { left: formatSpan(leaseSeconds * 1000) });
}

function ReferenceCell({ row }: { readonly row: Reference }): ReactNode {
  const rotation = rotationTextOf(row);
  return (
    <>
      <PathText path={row.reference} />
      {rotation !== undefined && <p className="gh-quiet">{rotation}</p>}
    </>
  );
}

/** Renders the state, a button that tests the reference, the cause, and what to do. */
function StatusCell({
  row,
  hasCause,
}: {
  readonly row: Reference;
  /** False if the cause is that of Vault, which the page shows once. */
  readonly hasCause: boolean;
}): ReactNode {
  const { status, word } = referenceStatusOf(row);
  return (
    <div className="gh-secret-status">
      <StatusLabel status={status}>{word}</StatusLabel>
      <TestReference reference={row.reference} />
      {hasCause && row.cause !== null && <p>{row.cause}</p>}
      {hasCause && row.fix !== null && row.fix !== '' && (
        <p className="gh-quiet">{text('toFix', { fix: row.fix })}</p>
      )}
    </div>
  );
}

function UsedBy({ uses }: { readonly uses: readonly Use[] }): ReactNode {
  return (
    <ul className="gh-plain-list">
      {uses.map((use) => (
        <li key={`${use.kind} ${use.name} ${use.pointer}`} className="gh-use">
          {use.kind === 'adapter' ? (
            <Link to={pathOf(['adapters', use.name])}>{use.name}</Link>
          ) : (
            text('settings')
          )}{' '}
          <code className="gh-quiet">{use.pointer}</code>
          <Proof use={use} />
        </li>
      ))}
    </ul>
  );
}

/** Renders the result of the test of the latest rotated value. */
function Proof({ use }: { readonly use: Use }): ReactNode {
  const proof = proofStatusOf(use);
  if (!proof) return null;
  return (
    <div>
      <StatusLabel status={proof.status}>{proof.word}</StatusLabel>
      {use.proof?.reason !== null && <p className="gh-quiet">{use.proof?.reason}</p>}
    </div>
  );
}

interface TestReply {
  readonly ok: boolean;
  readonly cause: string | null;
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
        label={text('testLabel', { reference })}
        onPress={() => mutate({ method: 'POST', path: '/console/secrets/test', body: { reference } })}
      >
        {text('test')}
      </Button>
      <p role="status" className="gh-secret-result">
        {error ? testFailure(error) : reply && resultOf(reply)}
      </p>
    </>
  );
}

function resultOf({ ok, cause }: TestReply): string {
  return ok ? text('testOk') : (cause ?? text('testMissing'));
}

function testFailure({ code, message }: ApiProblem): string {
  return code === 'too_many_requests' ? text('testTooSoon') : text('testError', { cause: message });
}

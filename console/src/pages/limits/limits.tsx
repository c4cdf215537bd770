import { type ReactNode, useState } from 'react';
import type { LimitStatus, LimitUsage, LimitView } from '../../../../src/core/limits.js';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import { Button } from '../../kit/button.js';
import { DataTable } from '../../kit/data-table.js';
import { Lines } from '../../kit/facts.js';
import { Empty, Notice, Read } from '../../kit/feedback.js';
import { Page, Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { textOf } from '../../text/text.js';
import { RemovedRecords } from '../history/removed-records.js';
import { RuleActions, RuleOrigin } from '../rules/rule-actions.js';
import { type ListedRule, originText, rulesPath } from '../rules/rule.js';
import { LimitDialog } from './limit-dialog.js';
import { completeLimit, limitSentences } from './limit-rule.js';
import { countedBy, permittedBy, stateOf } from './limit.js';

const text = textOf('limits');
const words = textOf('rules');

const PATH = '/console/limits';
const REFRESH_MS = 5_000;

/** Renders the limits of callers, and who is near or at them. */
export function Limits(): ReactNode {
  const limits = useRead<LimitStatus>(PATH, { everyMs: REFRESH_MS });
  const rules = useRead<{ readonly results: readonly ListedRule[] }>(rulesPath('limit'));
  const { may } = useSession();
  const [dialog, setDialog] = useState<'new' | ListedRule>();
  return (
    <Page
      title={text('title')}
      lead={text('lead')}
      primary={
        may('putLimitRule') && (
          <Button kind="primary" onPress={() => setDialog('new')}>
            {text('new')}
          </Button>
        )
      }
      source={{ path: PATH }}
    >
      <Read query={limits} what={text('what')}>
        {(status) => (
          <Read query={rules} what={text('what')}>
            {({ results }) => (
              <>
                <LimitLists status={status} rules={results} onEdit={setDialog} />
                {dialog && (
                  <LimitDialog
                    edited={dialog === 'new' ? undefined : dialog}
                    taken={results.map(({ name }) => name)}
                    callers={[...new Set(status.callers.map(({ caller }) => caller))]}
                    onClose={() => setDialog(undefined)}
                  />
                )}
              </>
            )}
          </Read>
        )}
      </Read>
    </Page>
  );
}

interface LimitListsProps {
  readonly status: LimitStatus;
  readonly rules: readonly ListedRule[];
  readonly onEdit: (rule: ListedRule) => void;
}

function LimitLists({ status: { shared, limits, callers }, rules, onEdit }: LimitListsProps): ReactNode {
  return (
    <>
      {shared === 'share' && (
        <Notice kind="warning" title={text('away')}>
          {text('awayHelp')}
        </Notice>
      )}
      {limits.length > 0 && (
        <Panel title={text('callers')}>
          <DataTable
            label={text('callersLabel')}
            columns={callerColumns()}
            rows={callers}
            keyOf={({ limit, caller, issuer }) => `${limit} ${issuer} ${caller}`}
            sort="-used"
            empty={<Empty title={text('noCallers')}>{text('noCallersHelp')}</Empty>}
          />
        </Panel>
      )}
      <Panel title={text('configured')} actions={<RemovedRecords kind="limit" />}>
        <DataTable
          label={text('configuredLabel')}
          columns={limitColumns(limits, onEdit)}
          rows={rules}
          keyOf={({ name, origin }) => `${origin.kind} ${name}`}
          sort="name"
          empty={<Empty title={text('none')}>{text('noneHelp')}</Empty>}
        />
      </Panel>
    </>
  );
}

function callerColumns(): readonly Column<LimitUsage>[] {
  return [
    {
      key: 'caller',
      title: text('caller'),
      cell: ({ caller, issuer }) => (
        <>
          <span className="gh-breakable">{caller}</span>{' '}
          {issuer !== '' && <span className="gh-quiet gh-breakable">{text('ofIssuer', { issuer })}</span>}
        </>
      ),
      sortBy: ({ caller }) => caller,
      text: ({ caller, issuer }) => `${caller} ${issuer}`,
    },
    {
      key: 'limit',
      title: text('limit'),
      cell: ({ limit }) => <code>{limit}</code>,
      sortBy: ({ limit }) => limit,
      text: ({ limit }) => limit,
    },
    {
      key: 'used',
      title: text('used'),
      cell: (row) => (
        <>
          {text('usedPercent', { percent: row.usedPercent })}{' '}
          <StatusLabel status={stateOf(row).status}>{stateOf(row).word}</StatusLabel>
        </>
      ),
      sortBy: ({ usedPercent }) => usedPercent,
      text: (row) => stateOf(row).word,
    },
    {
      key: 'remaining',
      isNumber: true,
      title: text('remaining'),
      cell: ({ remaining }) => remaining ?? text('unlimited'),
      sortBy: ({ remaining }) => remaining ?? undefined,
    },
    {
      key: 'running',
      isNumber: true,
      title: text('running'),
      cell: ({ running }) => running,
      sortBy: ({ running }) => running,
    },
    {
      key: 'refused',
      isNumber: true,
      title: text('refused'),
      cell: ({ refused }) => refused,
      sortBy: ({ refused }) => refused,
    },
  ];
}

function limitColumns(
  limits: readonly LimitView[],
  onEdit: (rule: ListedRule) => void,
): readonly Column<ListedRule>[] {
  // A stored limit that is not in effect has no counts of its own.
  const countsOf = ({ name, fault }: ListedRule) =>
    fault === null ? limits.find((limit) => limit.name === name) : undefined;
  const permits = ({ rule }: ListedRule) => permittedBy(completeLimit(rule));
  const counts = ({ rule }: ListedRule) => countedBy(completeLimit(rule));
  const per = ({ rule }: ListedRule) => text(completeLimit(rule).per);
  return [
    {
      key: 'name',
      title: text('limit'),
      cell: ({ name }) => <code>{name}</code>,
      sortBy: ({ name }) => name,
      text: ({ name }) => name,
    },
    {
      key: 'permits',
      title: text('permits'),
      cell: (row) => <Lines lines={permits(row)} />,
      text: (row) => permits(row).join(' '),
    },
    { key: 'per', title: text('per'), cell: per, sortBy: per },
    {
      key: 'counts',
      title: text('counts'),
      cell: (row) => <Lines lines={counts(row)} />,
      text: (row) => counts(row).join(' '),
    },
    {
      key: 'callers',
      title: text('counted'),
      isNumber: true,
      cell: (row) => countsOf(row)?.callers,
      sortBy: (row) => countsOf(row)?.callers,
    },
    {
      key: 'refused',
      title: text('refused'),
      isNumber: true,
      cell: (row) => countsOf(row)?.refused,
      sortBy: (row) => countsOf(row)?.refused,
    },
    {
      key: 'origin',
      title: words('origin'),
      cell: (row) => <RuleOrigin rule={row} />,
      sortBy: originText,
      text: originText,
    },
    {
      key: 'menu',
      card: 'end',
      title: '',
      cell: (row) => (
        <RuleActions
          kind="limit"
          rule={row}
          sentences={limitSentences(row.name)}
          onEdit={() => onEdit(row)}
        />
      ),
    },
  ];
}

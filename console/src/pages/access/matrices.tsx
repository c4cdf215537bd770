import { type ReactNode, useState } from 'react';
import { Button } from '../../kit/button.js';
import { Filter } from '../../kit/choices.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import type { Column } from '../../kit/table-rows.js';
import { useUrlState } from '../../kit/url-state.js';
import { textOf } from '../../text/text.js';
import { pathOfAdapter } from '../adapters/adapter-path.js';
import { DecisionDrawer, ResultLabel } from './decision-view.js';
import {
  type AdapterAccess,
  CALL_OPERATIONS,
  type OperationAccess,
  type Question,
  type Result,
  resultOf,
} from './decision.js';

const text = textOf('access');

/** Roles that are columns at the same time; the filter shows the others. */
const MAX_COLUMNS = 8;

/** Renders what each role may call through each adapter, for one operation. */
export function AdapterMatrix({
  rows,
  roles,
}: {
  readonly rows: readonly AdapterAccess[];
  readonly roles: readonly string[];
}): ReactNode {
  const [{ operation }, setUrl] = useUrlState({ operation: 'query' });
  const [question, setQuestion] = useState<Question>();
  const chosen = keyOf(operation);
  const name = CALL_OPERATIONS[chosen];
  const columns: readonly Column<AdapterAccess>[] = [
    {
      key: 'adapter',
      title: text('adapter'),
      cell: (row) => <Link to={pathOfAdapter(row.name)}>{row.name}</Link>,
      sortBy: (row) => row.name,
      text: (row) => row.name,
    },
    {
      key: 'rules',
      title: text('rules'),
      cell: ({ globalRules, ownRules }) => text('ruleCounts', { global: globalRules, own: ownRules }),
      sortBy: ({ globalRules, ownRules }) => globalRules + ownRules,
    },
  ];
  return (
    <RoleMatrix
      label={text('adapters')}
      lead={columns}
      rows={rows}
      roles={roles}
      resultOf={(row, role) => row.results[role]?.[name] ?? 'denied'}
      onAsk={(row, role) => setQuestion({ roles: role, operation: name, adapter: row.name })}
      question={question}
      onClose={() => setQuestion(undefined)}
      filters={
        <Filter
          label={text('operation')}
          value={chosen}
          onChange={(next) => setUrl({ operation: next })}
          options={OPERATION_KEYS.map((value) => ({ value, label: text(value) }))}
        />
      }
    />
  );
}

const OPERATION_KEYS = ['query', 'action', 'proxy', 'method'] as const;

function keyOf(value: string): (typeof OPERATION_KEYS)[number] {
  return OPERATION_KEYS.find((key) => key === value) ?? 'query';
}

/** Renders which role may call which operation. */
export function OperationMatrix({
  rows,
  roles,
}: {
  readonly rows: readonly OperationAccess[];
  readonly roles: readonly string[];
}): ReactNode {
  const [question, setQuestion] = useState<Question>();
  const columns: readonly Column<OperationAccess>[] = [
    {
      key: 'operation',
      title: text('operation'),
      cell: ({ name, isConfigured }) => (
        <>
          <code className="gh-breakable">{name}</code>{' '}
          {isConfigured && <span className="gh-quiet">{text('configured')}</span>}
        </>
      ),
      sortBy: ({ name }) => name,
      text: ({ name }) => name,
    },
  ];
  return (
    <RoleMatrix
      label={text('operations')}
      lead={columns}
      rows={rows}
      roles={roles}
      resultOf={resultOf}
      onAsk={({ name }, role) => setQuestion({ roles: role, operation: name })}
      question={question}
      onClose={() => setQuestion(undefined)}
    />
  );
}

interface RoleMatrixProps<Row> {
  readonly label: string;
  /** Columns before those of the roles. */
  readonly lead: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly roles: readonly string[];
  readonly resultOf: (row: Row, role: string) => Result;
  /** Called when the user asks for the reasons of a result. */
  readonly onAsk: (row: Row, role: string) => void;
  readonly question: Question | undefined;
  readonly onClose: () => void;
  readonly filters?: ReactNode;
}

/** Renders a column for each role; each result is a button that shows its reasons. */
function RoleMatrix<Row extends { readonly name: string }>(props: RoleMatrixProps<Row>): ReactNode {
  const { label, lead, rows, roles, resultOf: of, onAsk, question, onClose, filters } = props;
  const [{ role }, setUrl] = useUrlState({ role: '' });
  const shown = roles.includes(role) ? [role] : roles.slice(0, MAX_COLUMNS);
  const columns = shown.map((name): Column<Row> => ({
    key: `role-${name}`,
    title: name,
    cell: (row) => (
      <span className="gh-cell-result">
        <Button
          kind="plain"
          isSmall
          label={text('why', { role: name, what: row.name, result: text(of(row, name)) })}
          onPress={() => onAsk(row, name)}
        >
          <ResultLabel result={of(row, name)} />
        </Button>
      </span>
    ),
    sortBy: (row) => RANKS[of(row, name)],
  }));
  return (
    <>
      <DataTable
        label={label}
        columns={[...lead, ...columns]}
        rows={rows}
        keyOf={({ name }) => name}
        filters={
          <>
            {filters}
            <Filter
              label={text('role')}
              value={shown.length === 1 ? (shown[0] ?? '') : ''}
              onChange={(next) => setUrl({ role: next })}
              options={[
                { value: '', label: allLabel(roles.length) },
                ...roles.map((name) => ({ value: name, label: name })),
              ]}
            />
          </>
        }
        empty={<Empty title={text('nothing')}>{text('nothingHelp')}</Empty>}
      />
      {question && <DecisionDrawer question={question} onClose={onClose} />}
    </>
  );
}

const RANKS = { allowed: 0, depends: 1, denied: 2 } as const;

function allLabel(total: number): string {
  return total <= MAX_COLUMNS ? text('everyRole') : text('allRoles', { shown: MAX_COLUMNS, total });
}

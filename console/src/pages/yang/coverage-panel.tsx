import { type ReactNode, useMemo } from 'react';
import { DataTable } from '../../kit/data-table.js';
import { Empty } from '../../kit/feedback.js';
import { Panel } from '../../kit/page.js';
import { Tag } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { useUrlState } from '../../kit/url-state.js';
import { Button } from '../../kit/button.js';
import { constructOf, type Coverage, type YangWarning } from './coverage.js';

export interface CoveragePanelProps {
  readonly module: string;
  readonly coverage: Coverage;
  readonly warnings: readonly YangWarning[];
}

/** Renders how many nodes of the model the schema expresses, and the warnings about everything else. */
export function CoveragePanel({ module, coverage, warnings }: CoveragePanelProps): ReactNode {
  const { nodes, partly, warningCounts } = coverage;
  const complete = nodes - partly;
  const share = nodes === 0 ? 100 : (100 * complete) / nodes;
  const [{ q }, setUrl] = useUrlState({ q: '', page: '1' });
  if (nodes === 0 && warnings.length === 0)
    return (
      <Panel title={`Coverage of ${module}`}>
        <Empty title="No data nodes">
          The module defines only types, groupings or features for other modules.
        </Empty>
      </Panel>
    );
  return (
    <Panel title={`Coverage of ${module}`}>
      <div className="gh-stack">
        <p>
          <strong>
            {complete} of {nodes} nodes
          </strong>{' '}
          are expressed completely ({Math.floor(share)} %); {partly} are expressed in part, with the rest in{' '}
          <code>x-yang</code>.
        </p>
        <svg
          className="gh-coverage"
          role="img"
          aria-label={`${Math.floor(share)} % expressed completely`}
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
        >
          <rect className="gh-coverage-left" width="100" height="4" />
          <rect className="gh-coverage-said" width={share} height="4" />
        </svg>
        {warningCounts.length > 0 && (
          <div className="gh-actions">
            {warningCounts.map(([construct, count]) => (
              <Button
                key={construct}
                isSmall
                kind={q === construct ? 'primary' : 'secondary'}
                onPress={() => setUrl({ q: q === construct ? '' : construct, page: '1' })}
              >
                {`${count} ${construct}`}
              </Button>
            ))}
          </div>
        )}
        <Warnings warnings={warnings} />
      </div>
    </Panel>
  );
}

const COLUMNS: readonly Column<YangWarning>[] = [
  {
    key: 'construct',
    title: 'Construct',
    sortBy: constructOf,
    text: constructOf,
    cell: (warning) => <Tag>{constructOf(warning)}</Tag>,
  },
  {
    key: 'node',
    title: 'Node',
    sortBy: ({ path }) => path,
    text: ({ path }) => path,
    cell: ({ path }) => <code className="gh-break">{path}</code>,
  },
  { key: 'what', title: 'Not expressed', text: ({ message }) => message, cell: ({ message }) => message },
];

function Warnings({ warnings }: { readonly warnings: readonly YangWarning[] }): ReactNode {
  const rows = useMemo(() => warnings.map((warning, at) => ({ ...warning, at })), [warnings]);
  return (
    <DataTable
      label="Warnings"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ at }) => String(at)}
      empty={<Empty title="No warnings">The schema expresses the complete model.</Empty>}
    />
  );
}

import { type ReactNode, useMemo } from 'react';
import { Button } from '../../kit/button.js';
import { DataTable } from '../../kit/data-table.js';
import { Empty } from '../../kit/feedback.js';
import { Panel } from '../../kit/page.js';
import { Tag } from '../../kit/status.js';
import type { Column } from '../../kit/table-rows.js';
import { useUrlState } from '../../kit/url-state.js';
import { rich } from '../../text/rich.js';
import { constructOf, type Coverage, type YangWarning } from './coverage.js';
import { text } from './yang-text.js';

interface CoveragePanelProps {
  readonly module: string;
  readonly coverage: Coverage;
  readonly warnings: readonly YangWarning[];
}

/** Renders how many nodes of the model the schema expresses, and the warnings about everything else. */
export function CoveragePanel({ module, coverage, warnings }: CoveragePanelProps): ReactNode {
  const { nodes, partly, warningCounts } = coverage;
  const count = warningCounts.reduce((sum, [, each]) => sum + each, 0);
  const complete = nodes - partly;
  const share = nodes === 0 ? 100 : (100 * complete) / nodes;
  const percent = Math.floor(share);
  const [{ q }, setUrl] = useUrlState({ q: '', page: '1' });
  if (nodes === 0 && warnings.length === 0)
    return (
      <Panel title={text('coverage', { module })}>
        <Empty title={text('noNodes')}>{text('noNodes.help')}</Empty>
      </Panel>
    );
  return (
    <Panel title={text('coverage', { module })}>
      <div className="gh-stack">
        <p>
          {rich(text, 'coverage.share', {
            complete,
            nodes,
            percent,
            partly,
            strong: (children) => <strong>{children}</strong>,
            code: (children) => <code>{children}</code>,
          })}
        </p>
        <svg
          className="gh-coverage"
          role="img"
          aria-label={text('coverage.bar', { percent })}
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
        >
          <rect className="gh-coverage-left" width="100" height="4" />
          <rect className="gh-coverage-said" width={share} height="4" />
        </svg>
        {warningCounts.length > 0 && (
          <div className="gh-actions">
            {warningCounts.map(([construct, each]) => (
              <Button
                key={construct}
                isSmall
                kind={q === construct ? 'primary' : 'secondary'}
                onPress={() => setUrl({ q: q === construct ? '' : construct, page: '1' })}
              >
                {`${each} ${construct}`}
              </Button>
            ))}
          </div>
        )}
        {count > warnings.length && (
          <p className="gh-quiet">{text('firstWarnings', { shown: warnings.length, count })}</p>
        )}
        <Warnings warnings={warnings} />
      </div>
    </Panel>
  );
}

const columnsOfWarnings = (): readonly Column<YangWarning>[] => [
  {
    key: 'construct',
    title: text('construct'),
    sortBy: constructOf,
    text: constructOf,
    cell: (warning) => <Tag>{constructOf(warning)}</Tag>,
  },
  {
    key: 'node',
    title: text('node'),
    sortBy: ({ path }) => path,
    text: ({ path }) => path,
    cell: ({ path }) => <code className="gh-break">{path}</code>,
  },
  {
    key: 'what',
    title: text('notExpressed'),
    text: ({ message }) => message,
    cell: ({ message }) => message,
  },
];

function Warnings({ warnings }: { readonly warnings: readonly YangWarning[] }): ReactNode {
  const columns = useMemo(columnsOfWarnings, []);
  const rows = useMemo(() => warnings.map((warning, at) => ({ ...warning, at })), [warnings]);
  return (
    <DataTable
      label={text('warnings')}
      columns={columns}
      rows={rows}
      keyOf={({ at }) => String(at)}
      empty={<Empty title={text('noWarnings')}>{text('noWarnings.help')}</Empty>}
    />
  );
}

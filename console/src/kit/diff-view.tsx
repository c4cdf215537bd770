import { Fragment, type ReactNode, useMemo, useState } from 'react';
import '../style/diff.css';
import { Button } from './button.js';
import { diffJson, type DiffPart, type DiffRow, summarizeDiff, foldRows, type Line } from './diff-lines.js';
import { text } from './kit-text.js';

interface DiffViewProps {
  readonly before: unknown;
  readonly after: unknown;
  /** Titles of the two values: "Current", "New". */
  readonly labels: readonly [before: string, after: string];
}

/**
 * Renders two JSON values side by side, line by line; one below the other on small screens. Long equal parts
 * are folded.
 */
export function DiffView({ before, after, labels }: DiffViewProps): ReactNode {
  const rows = useMemo(() => diffJson(before, after), [before, after]);
  const parts = useMemo(() => foldRows(rows), [rows]);
  return (
    <figure
      className="gh-diff"
      role="group"
      aria-label={text('diff', { before: labels[0], after: labels[1] })}
    >
      <figcaption role="status">{summarizeDiff(rows)}</figcaption>
      <div className="gh-diff-scroll" tabIndex={0} role="region" aria-label={text('diff.lines')}>
        <table>
          <colgroup>
            <col className="gh-diff-number" />
            <col />
            <col className="gh-diff-number" />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col" colSpan={2}>
                {labels[0]}
              </th>
              <th scope="col" colSpan={2}>
                {labels[1]}
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part, index) => (
              <DiffPartView key={index} part={part} />
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function DiffPartView({ part: { kind, rows } }: { readonly part: DiffPart }): ReactNode {
  const [isOpen, setOpen] = useState(kind === 'rows');
  if (!isOpen)
    return (
      <tr className="gh-diff-fold">
        <td colSpan={4}>
          <Button kind="link" isSmall onPress={() => setOpen(true)}>
            {text('diff.equal', { count: rows.length })}
          </Button>
        </td>
      </tr>
    );
  return rows.map((row) => <Row key={`${row.before?.number ?? ''}:${row.after?.number ?? ''}`} row={row} />);
}

function Row({ row: { kind, before, after } }: { readonly row: DiffRow }): ReactNode {
  return (
    <tr data-kind={kind}>
      <Side line={before} mark={kind === 'same' ? '' : '−'} />
      <Side line={after} mark={kind === 'same' ? '' : '+'} />
    </tr>
  );
}

const MARKS = { '': Fragment, '+': 'ins', '−': 'del' } as const;

/**
 * Renders a line with its number. A difference has a sign and a text for screen readers as well as a color.
 */
function Side({
  line,
  mark,
}: {
  readonly line: Line | undefined;
  readonly mark: keyof typeof MARKS;
}): ReactNode {
  if (!line) return <td colSpan={2} className="gh-diff-none" />;
  const Text = MARKS[mark];
  return (
    <>
      <td className="gh-diff-number" data-mark={mark}>
        {line.number}
      </td>
      <td className="gh-diff-text" data-mark={mark}>
        <span className="gh-diff-mark" aria-hidden="true">
          {mark}
        </span>
        <Text>{line.text}</Text>
      </td>
    </>
  );
}

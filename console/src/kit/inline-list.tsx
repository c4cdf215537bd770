import type { ReactNode } from 'react';
import '../style/parts.css';

/** A few named facts in one line; on small screens in several lines. */
export function InlineList({
  label,
  facts,
}: {
  readonly label: string;
  readonly facts: Readonly<Record<string, ReactNode>>;
}): ReactNode {
  return (
    <dl className="gh-strip" aria-label={label}>
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

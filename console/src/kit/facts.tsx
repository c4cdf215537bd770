import type { ReactNode } from 'react';
import '../style/parts.css';

/** Renders a list of names and values; undefined values are left out. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }): ReactNode {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
  return (
    <dl className="gh-facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Renders a few named facts in one line; on small screens in several lines. */
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

/** Renders a list of short texts, one on each line. */
export function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return (
    <ul className="gh-plain-list">
      {lines.map((line) => (
        <li key={line} className="gh-breakable">
          {line}
        </li>
      ))}
    </ul>
  );
}

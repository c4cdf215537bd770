import type { ReactNode } from 'react';
import '../style/keys.css';

interface KeysProps {
  readonly keys: readonly string[];
  /** Word between the keys of a sequence; absent for keys that are pressed together or are alternatives. */
  readonly between?: string;
}

/** Renders the keys of a shortcut. */
export function Keys({ keys, between }: KeysProps): ReactNode {
  return (
    <span className="gh-keys">
      {keys.map((key, at) => (
        <span key={key}>
          {at > 0 && between !== undefined && ` ${between} `}
          <kbd>{key}</kbd>
        </span>
      ))}
    </span>
  );
}

interface KeyTableProps {
  readonly title: string;
  readonly rows: readonly (readonly [keys: ReactNode, meaning: string])[];
}

/** Renders a list of shortcuts with their meaning. */
export function KeyTable({ title, rows }: KeyTableProps): ReactNode {
  return (
    <section className="gh-key-table">
      <h2>{title}</h2>
      <dl>
        {rows.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>{keys}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

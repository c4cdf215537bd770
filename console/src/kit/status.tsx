import type { ReactNode } from 'react';
import type { Status } from './status-kinds.js';

/** Renders a state as icon and word, never as a color alone. */
export function StatusLabel({
  status,
  children,
}: {
  readonly status: Status;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className="gh-label" data-status={status}>
      <span>{children}</span>
    </span>
  );
}

/** Renders a plain word beside a name: a kind, a version, an origin. */
export function Tag({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="gh-chip">{children}</span>;
}

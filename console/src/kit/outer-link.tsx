import type { ReactNode } from 'react';

/** A link to a page of this server outside the console: a task, the printed documentation. */
export function OuterLink({
  to,
  children,
}: {
  readonly to: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <a href={to} className="gh-link">
      {children}
    </a>
  );
}

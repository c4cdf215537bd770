import type { ReactNode } from 'react';
import { Link as RouteLink } from 'wouter';

/** Renders a link to another page of the console: `to` is its path below /ui. */
export function Link({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  return (
    <RouteLink href={to} className="gh-link">
      {children}
    </RouteLink>
  );
}

/** Renders a link to a page of this server outside the console: a task, the printed documentation. */
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

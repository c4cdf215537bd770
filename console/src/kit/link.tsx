import type { ReactNode } from 'react';
import { Link as RouteLink } from 'wouter';

/** A link to another page of the console: `to` is its path below /ui. */
export function Link({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  return (
    <RouteLink href={to} className="gh-link">
      {children}
    </RouteLink>
  );
}

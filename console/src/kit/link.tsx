import type { ReactNode } from 'react';
import { Link as RouteLink } from 'wouter';

interface LinkProps {
  readonly to: string;
  /** `button` and `action`: looks like a button, or like one in a row, among others. */
  readonly kind?: LinkKind;
  readonly children: ReactNode;
}

type LinkKind = 'button' | 'action';

/** Returns the attributes of the look of a link. */
function linkLook(kind?: LinkKind): Readonly<Record<string, string>> {
  if (kind === undefined) return { className: 'gh-link' };
  return {
    className: 'gh-button',
    ...(kind === 'action' && { 'data-kind': 'link', 'data-size': 'small' }),
  };
}

/** Renders a link to another page of the console: `to` is its path below /ui. */
export function Link({ to, kind, children }: LinkProps): ReactNode {
  return (
    <RouteLink href={to} {...linkLook(kind)}>
      {children}
    </RouteLink>
  );
}

/** Renders a link to a page of this server outside the console: a task, the printed documentation. */
export function OuterLink({ to, kind, children }: LinkProps): ReactNode {
  return (
    <a href={to} {...linkLook(kind)}>
      {children}
    </a>
  );
}

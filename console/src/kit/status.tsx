import { Label } from '@patternfly/react-core/dist/esm/components/Label';
import type { ReactNode } from 'react';
import type { Status } from './status-kinds.js';

const COLOURS = { good: 'success', warning: 'warning', bad: 'danger', busy: 'info', off: undefined } as const;

/** Renders a state as icon and word, never as a color alone. */
export function StatusLabel({
  status,
  children,
}: {
  readonly status: Status;
  readonly children: ReactNode;
}): ReactNode {
  const colour = COLOURS[status];
  return (
    <Label variant="outline" {...(colour ? { status: colour } : { color: 'grey' as const })}>
      {children}
    </Label>
  );
}

/** Renders a plain word beside a name: a kind, a version, an origin. */
export function Tag({ children }: { readonly children: ReactNode }): ReactNode {
  return <Label color="grey">{children}</Label>;
}

import type { ReactNode } from 'react';
import '../style/columns.css';

export interface ColumnsProps {
  readonly children: ReactNode;
  /** `narrow-first`: the first column is a list beside its details. */
  readonly kind?: 'even' | 'narrow-first';
}

/** Columns side by side; one below the other on small screens. */
export function Columns({ children, kind = 'even' }: ColumnsProps): ReactNode {
  return (
    <div className="gh-columns" data-kind={kind}>
      {children}
    </div>
  );
}

/** A grid of fields; each row has as many fields as fit. */
export function FieldGrid({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="gh-field-grid">{children}</div>;
}

/** Elements one below the other, with the standard gap. */
export function Stack({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="gh-stack">{children}</div>;
}

/** A row of actions. */
export function Actions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="gh-actions">{children}</div>;
}

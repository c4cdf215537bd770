import type { ReactNode } from 'react';
import '../style/columns.css';

export interface ColumnsProps {
  readonly children: ReactNode;
  /** `narrow-first`: the first one is a list beside the thing itself. */
  readonly kind?: 'even' | 'narrow-first';
}

/** Parts side by side; one below the other where there is no room. */
export function Columns({ children, kind = 'even' }: ColumnsProps): ReactNode {
  return (
    <div className="gh-columns" data-kind={kind}>
      {children}
    </div>
  );
}

/** Fields in rows of as many as there is room for. */
export function FieldGrid({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="gh-field-grid">{children}</div>;
}

/** Parts one below the other, with the usual distance. */
export function Stack({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="gh-stack">{children}</div>;
}

/** What can be done, in a row. */
export function Actions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="gh-actions">{children}</div>;
}

import { type ReactNode, useEffect, useRef } from 'react';
import type { CurlRequest } from '../api/request.js';
import { RawLinks } from './copy.js';
import { text } from './kit-text.js';
import { focusAfterNavigation } from './route-focus.js';

interface PageProps {
  /** Name of the page: its heading, and the title of the window. */
  readonly title: string;
  /** Purpose of the page, in one sentence. */
  readonly lead?: ReactNode;
  /** Default buttons at the end of the page header. */
  readonly actions?: ReactNode;
  /** The main action of the page, after the others. */
  readonly primary?: ReactNode;
  /** The request of the shown data: a menu after all actions copies it. */
  readonly source?: CurlRequest;
  readonly children: ReactNode;
}

/** Renders a page. Its actions have the same order everywhere: default buttons, the primary one, the menu. */
export function Page({ title, lead, actions, primary, source, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · gatehouse`;
  }, [title]);
  useEffect(() => {
    focusAfterNavigation(heading.current);
  }, []);
  return (
    <div className="gh-page">
      <section className="gh-page-head" aria-label={text('pageHeader')}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p>{lead}</p>}
        {(actions ?? primary) !== undefined && (
          <div className="gh-actions">
            {actions}
            {primary}
          </div>
        )}
        {source && <RawLinks {...source} />}
      </section>
      <section className="gh-stack" aria-label={title}>
        {children}
      </section>
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Renders a section of a page with its own heading. */
export function Panel({ title, actions, children }: PanelProps): ReactNode {
  return (
    <section className="gh-panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {actions !== undefined && <div className="gh-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

interface ColumnsProps {
  readonly children: ReactNode;
  /** `narrow-first`: the first column is a list beside its details. */
  readonly kind?: 'even' | 'narrow-first';
}

/** Renders columns side by side; one below the other on small screens. */
export function Columns({ children, kind = 'even' }: ColumnsProps): ReactNode {
  return (
    <div className="gh-columns" data-kind={kind}>
      {children}
    </div>
  );
}

/** Renders a grid of fields; each row has as many fields as fit. */
export function FieldGrid({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="gh-field-grid">{children}</div>;
}

/** Renders elements one below the other, with the standard gap. */
export function Stack({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="gh-stack">{children}</div>;
}

export function Actions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="gh-actions">{children}</div>;
}

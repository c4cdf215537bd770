import type { ReactNode } from 'react';
import '../style/status-page.css';
import { textOf } from '../text/text.js';
import { Link } from './link.js';

export interface StatusPageProps {
  /** HTTP status that the server would return. */
  readonly status: '403' | '404';
  readonly title: string;
  /** The reason, and the next step. */
  readonly children: ReactNode;
  /** A page that the user may open; undefined without any permitted page. */
  readonly fallbackPage: { readonly path: string; readonly title: string } | undefined;
}

/** Renders the page for a missing or forbidden page, with a link to another page. */
export function StatusPage({ status, title, children, fallbackPage }: StatusPageProps): ReactNode {
  return (
    <div className="gh-nowhere">
      <svg viewBox="0 0 320 200" aria-hidden="true" focusable="false">
        <path className="gh-nowhere-way" d="M0 168 H104 M216 168 H320" />
        <path
          className="gh-nowhere-gate"
          d="M104 180 V44 h16 v14 h16 v-14 h16 v14 h16 v-14 h16 v14 h16 v-14 h16 v136 z"
        />
        {status === '403' ? <Closed /> : <Missing />}
      </svg>
      <p className="gh-nowhere-status">{status}</p>
      <h2>{title}</h2>
      <div className="gh-nowhere-why">{children}</div>
      {fallbackPage && (
        <Link to={fallbackPage.path}>{textOf('shell')('goTo', { page: fallbackPage.title })}</Link>
      )}
    </div>
  );
}

function Closed(): ReactNode {
  return (
    <>
      <path className="gh-nowhere-arch" d="M132 180 v-56 a28 28 0 0 1 56 0 v56 z" />
      <path
        className="gh-nowhere-bars"
        d="M146 180 v-80 M160 180 v-84 M174 180 v-80 M132 132 h56 M132 156 h56"
      />
    </>
  );
}

function Missing(): ReactNode {
  return <path className="gh-nowhere-lost" d="M132 180 v-56 a28 28 0 0 1 56 0 v56" />;
}

import type { MouseEvent, ReactNode } from 'react';
import { Link, useLocation } from 'wouter';

/** Name of the query parameter that opens the drawer of a request on any page. */
export const REQUEST_PARAMETER = 'request';

/** Name of the query parameter with the start of the request, because several requests may have the same id. */
export const REQUEST_AT_PARAMETER = 'requestAt';

interface RequestLinkProps {
  readonly id: string;
  /** Start of the request, in milliseconds since 1970; absent: the newest request with this id. */
  readonly at?: number;
  readonly children?: ReactNode;
}

/**
 * Renders a request id as a link that opens the request on the current page. Reads the query of the page when it is clicked, so
 * that a log of thousands of links is not rendered again for each key of its search.
 */
export function RequestLink({ id, at, children }: RequestLinkProps): ReactNode {
  const [path, navigate] = useLocation();
  const target = () => {
    const search = new URLSearchParams(window.location.search);
    search.set(REQUEST_PARAMETER, id);
    search.delete(REQUEST_AT_PARAMETER);
    if (at !== undefined) search.set(REQUEST_AT_PARAMETER, String(at));
    return `${path}?${search.toString()}`;
  };
  const open = (event: MouseEvent) => {
    event.preventDefault();
    navigate(target());
  };
  return (
    <Link href={target()} className="gh-link" onClick={open}>
      {children ?? <code className="gh-id">{id}</code>}
    </Link>
  );
}

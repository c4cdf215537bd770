import type { ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Link } from './link.js';

/** Name of the query parameter that opens the drawer of a request on any page. */
export const REQUEST_PARAMETER = 'request';

/** Renders a request id as a link that opens the request on the current page. */
export function RequestLink({
  id,
  children,
}: {
  readonly id: string;
  readonly children?: ReactNode;
}): ReactNode {
  const [path] = useLocation();
  const search = new URLSearchParams(useSearch());
  search.set(REQUEST_PARAMETER, id);
  return <Link to={`${path}?${search.toString()}`}>{children ?? <code className="gh-id">{id}</code>}</Link>;
}

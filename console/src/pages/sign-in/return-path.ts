import { returnPath } from '../../../../src/core/sign-in.js';

/** The requested page, as in `window.location`. */
export interface ReturnLocation {
  readonly pathname: string;
  readonly search: string;
}

/**
 * Returns the page to open after sign-in: the target of `?return=` if the server would redirect there too,
 * otherwise the requested page.
 */
export function afterSignIn({ pathname, search }: ReturnLocation): string {
  const wanted = new URLSearchParams(search).get('return');
  return wanted === null && pathname !== '/ui/sign-in' ? pathname + search : returnPath(wanted);
}

import { returnPath } from '../../../../src/core/sign-in-page.js';

/** Where the reader was going, as `window.location` tells it. */
export interface ReturnLocation {
  readonly pathname: string;
  readonly search: string;
}

/** Where to go after signing in: what `?return=` names, when the server would go there too; else the page that asked. */
export function afterSignIn({ pathname, search }: ReturnLocation): string {
  const wanted = new URLSearchParams(search).get('return');
  return wanted === null && pathname !== '/ui/sign-in' ? pathname + search : returnPath(wanted);
}

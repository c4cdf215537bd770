import type { ReactNode } from 'react';
import { useSignInAgainPath } from '../api/use-session-ended.js';
import { textOf } from '../text/text.js';

/** Renders a link that signs in again in a new window, so that the page stays as it is. */
export function SignInAgainLink(): ReactNode {
  const path = useSignInAgainPath();
  return (
    <a href={path} target="_blank" rel="noreferrer">
      {textOf('kit')('signInAgain')}
    </a>
  );
}

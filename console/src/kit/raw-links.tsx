import type { ReactNode } from 'react';
import { CopyAsCurl } from './copy.js';

/** What a page was made from: the request for a shell, and the answer as it is. */
export function RawLinks({ path }: { readonly path: string }): ReactNode {
  return (
    <>
      <CopyAsCurl wanted={{ path }} />
      <a className="gh-link gh-raw" href={path} target="_blank" rel="noreferrer">
        JSON
      </a>
    </>
  );
}

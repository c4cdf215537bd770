import type { ReactNode } from 'react';
import { CopyAsCurl } from './copy.js';

/** Links to the source of a page: the request as a shell command, and the unchanged response. */
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

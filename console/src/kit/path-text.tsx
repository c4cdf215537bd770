import { Fragment, type ReactNode } from 'react';

/** Number of characters from which a part may be wider than the line, and is broken there if it is. */
const LONG = 24;

/** Renders a path or a reference, which is broken only after its separators unless a part is wider than the line. */
export function PathText({ path }: { readonly path: string }): ReactNode {
  return (
    <code className="gh-wrap">
      {path.split(/(?<=[/#])/).map((part, at) => (
        <Fragment key={at}>
          <span className={part.length > LONG ? 'gh-piece' : 'gh-short-piece'}>{part}</span>
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

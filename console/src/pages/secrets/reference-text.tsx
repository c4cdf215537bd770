import type { ReactNode } from 'react';

/** Renders a reference, which is broken only after its separators unless a part is wider than the line. */
export function ReferenceText({ reference }: { readonly reference: string }): ReactNode {
  return (
    <code className="gh-wrap">
      {reference.split(/(?<=[/#])/).map((part, at) => (
        <span key={at} className="gh-piece">
          {part}
        </span>
      ))}
    </code>
  );
}

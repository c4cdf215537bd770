import type { ReactNode } from 'react';

/** Renders a link to a file that the server sends as an attachment, so that the page stays open. */
export function DownloadLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <a className="gh-link" href={href} download>
      {children}
    </a>
  );
}

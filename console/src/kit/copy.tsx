import { type ReactNode, useState } from 'react';
import { type CurlRequest, asCurl } from '../api/request.js';
import { Button } from './button.js';

/** A button that copies a text to the clipboard and confirms it. */
export function CopyButton({
  text,
  children,
}: {
  readonly text: () => string;
  readonly children: ReactNode;
}): ReactNode {
  const [said, say] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      say('Copied');
    } catch {
      say('The browser does not allow copying');
    }
    window.setTimeout(() => say(''), 2000);
  };
  return (
    <>
      <Button kind="link" isSmall onPress={() => void copy()}>
        {children}
      </Button>
      <span className="gh-quiet" role="status">
        {said}
      </span>
    </>
  );
}

/** A button that copies the request of the shown data as a shell command. */
export function CopyAsCurl({ wanted }: { readonly wanted: CurlRequest }): ReactNode {
  return <CopyButton text={() => asCurl(wanted)}>Copy as curl</CopyButton>;
}

/** A text to read and copy, unchanged. */
export function CodeView({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <figure className="gh-code-view">
      <figcaption>
        {label} <CopyButton text={() => text}>Copy</CopyButton>
      </figcaption>
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
    </figure>
  );
}

import { type ReactNode, useState } from 'react';
import { asCurl, type CurlRequest } from '../api/request.js';
import { textOf } from '../text/text.js';
import { Button } from './button.js';

const messages = textOf('kit');

/** Renders a button that copies a text to the clipboard and confirms it. */
export function CopyButton({
  text,
  children,
}: {
  readonly text: () => string;
  readonly children: ReactNode;
}): ReactNode {
  const [message, setMessage] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setMessage(messages('copied'));
    } catch {
      setMessage(messages('copy.refused'));
    }
    window.setTimeout(() => setMessage(''), 2000);
  };
  return (
    <>
      <Button kind="link" isSmall onPress={() => void copy()}>
        {children}
      </Button>
      <span className="gh-quiet" role="status">
        {message}
      </span>
    </>
  );
}

/** Renders a button that copies the request of the shown data as a shell command. */
export function CopyAsCurl({ wanted }: { readonly wanted: CurlRequest }): ReactNode {
  return <CopyButton text={() => asCurl(wanted)}>{messages('copyAsCurl')}</CopyButton>;
}

/** Renders a read-only text with a button that copies it. */
export function CodeView({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <figure className="gh-code-view">
      <figcaption>
        {label} <CopyButton text={() => text}>{messages('copy')}</CopyButton>
      </figcaption>
      <pre tabIndex={0} role="group" aria-label={label}>
        {text}
      </pre>
    </figure>
  );
}

/** Renders links to the source of a page: the request as a shell command, and the unchanged response. */
export function RawLinks({ path }: { readonly path: string }): ReactNode {
  return (
    <>
      <CopyAsCurl wanted={{ path }} />
      <a className="gh-link gh-raw" href={path} target="_blank" rel="noreferrer">
        {messages('json')}
      </a>
    </>
  );
}

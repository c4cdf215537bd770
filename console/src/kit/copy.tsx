import { type ReactNode, useState } from 'react';
import { asCurl, type CurlRequest } from '../api/request.js';
import { Button } from './button.js';
import { text as messages } from './kit-text.js';
import { Menu } from './menu.js';
import { useToast } from './toasts.js';

/** Renders a button that copies a text to the clipboard and confirms it. */
export function CopyButton({
  text,
  kind = 'link',
  children,
}: {
  readonly text: () => string;
  /** `secondary` in the header of a page; `link` by default. */
  readonly kind?: 'secondary' | 'link';
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
      <Button kind={kind} isSmall={kind === 'link'} onPress={() => void copy()}>
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

/** Renders a menu with the source of a page: the request as a shell command, and the unchanged response. */
export function RawLinks(wanted: CurlRequest): ReactNode {
  const showToast = useToast();
  const copy = () =>
    void navigator.clipboard.writeText(asCurl(wanted)).then(
      () => showToast('success', messages('copied')),
      () => showToast('danger', messages('copy.refused')),
    );
  const show = () => void window.open(wanted.path, '_blank', 'noopener');
  return (
    <Menu
      label={messages('source')}
      actions={[
        { key: 'curl', title: messages('copyAsCurl'), onPress: copy },
        ...(wanted.method === undefined ? [{ key: 'json', title: messages('json'), onPress: show }] : []),
      ]}
    />
  );
}

import { type ReactNode, useState } from 'react';
import { textOf } from '../../../text/text.js';

const formText = textOf('form');

export interface TextOutputProps {
  readonly text: string;
  readonly fileName: string;
  readonly type: string;
}

/** Copies a text to the clipboard, or saves it as a file. */
export function TextOutput({ text, fileName, type }: TextOutputProps): ReactNode {
  const [status, setStatus] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setStatus(formText('copied')),
      () => setStatus(formText('notCopied')),
    );
  };
  return (
    <>
      <button type="button" className="gh-button" onClick={copy}>
        {formText('copy')}
      </button>
      <button type="button" className="gh-button" onClick={() => download({ text, fileName, type })}>
        {formText('download')}
      </button>
      <span className="gf-quiet" role="status">
        {status}
      </span>
    </>
  );
}

function download({ text, fileName, type }: TextOutputProps): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has read the file by then.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

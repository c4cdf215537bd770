import { type ReactNode, useState } from 'react';
import { useDesk } from '../form-controller.js';

export interface TextOutProps {
  readonly text: string;
  readonly fileName: string;
  readonly type: string;
}

/** Copies a text to the clipboard, or saves it as a file. */
export function TextOut({ text, fileName, type }: TextOutProps): ReactNode {
  const { labels } = useDesk();
  const [said, say] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => say(labels.copied),
      () => say(labels.notCopied),
    );
  };
  return (
    <>
      <button type="button" className="gf-button" onClick={copy}>
        {labels.copy}
      </button>
      <button type="button" className="gf-button" onClick={() => download({ text, fileName, type })}>
        {labels.download}
      </button>
      <span className="gf-quiet" role="status">
        {said}
      </span>
    </>
  );
}

function download({ text, fileName, type }: TextOutProps): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has read the file by then.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

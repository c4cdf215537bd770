import type { ReactNode } from 'react';
import { Button } from './button.js';

interface FileToSave {
  /** File name with extension. */
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

export function saveFile({ name, type, text }: FileToSave): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

interface DownloadButtonProps {
  /** Called when the button is pressed. */
  readonly file: () => FileToSave;
  readonly children: ReactNode;
  readonly isDisabled?: boolean;
}

export function DownloadButton({ file, children, isDisabled = false }: DownloadButtonProps): ReactNode {
  return (
    <Button isDisabled={isDisabled} onPress={() => saveFile(file())}>
      {children}
    </Button>
  );
}

/** Renders a link to a file that the server sends as an attachment, as a button: the page stays open. */
export function DownloadLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <a className="gh-button" href={href} download>
      {children}
    </a>
  );
}

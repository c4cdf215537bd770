import type { ReactNode } from 'react';
import { Button } from './button.js';

/** A file to be made. */
export interface FileToSave {
  /** With its ending. */
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly text: string;
}

/** Has the browser save a text as a file. */
export function saveFile({ name, type, text }: FileToSave): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export interface DownloadButtonProps {
  /** Made when it is pressed. */
  readonly file: () => FileToSave;
  readonly children: ReactNode;
  readonly isDisabled?: boolean;
}

/** Saves a file. */
export function DownloadButton({ file, children, isDisabled = false }: DownloadButtonProps): ReactNode {
  return (
    <Button isDisabled={isDisabled} onPress={() => saveFile(file())}>
      {children}
    </Button>
  );
}

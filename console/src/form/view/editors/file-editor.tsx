import type { ReactNode } from 'react';
import { useDesk } from '../form-controller.js';
import type { EditorProps } from './draft.js';
import { LinesEditor } from './text-editor.js';

/** Bytes in base64, from a file or typed. */
export function FileEditor(props: EditorProps): ReactNode {
  const desk = useDesk();
  const { row, id } = props;
  const read = async (file: File | undefined) => {
    if (!file) return;
    const value = base64(new Uint8Array(await file.arrayBuffer()));
    desk.hold(undefined);
    desk.edit({ kind: 'set', pointer: row.pointer, value });
  };
  return (
    <span className="gf-file">
      <LinesEditor {...props} />
      <input
        type="file"
        id={`${id}-file`}
        aria-label={row.title}
        // Prevents that the text input loses the focus and its editor closes.
        onMouseDown={(event) => event.preventDefault()}
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
    </span>
  );
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

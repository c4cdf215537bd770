import { type ChangeEvent, type DragEvent, type ReactNode, useId, useState } from 'react';
import '../style/file-field.css';
import { formatSize } from '../text/locale.js';
import { text as messages } from './kit-text.js';

/** A file that the reader chose, as text. */
interface DroppedText {
  readonly name: string;
  readonly text: string;
}

interface DropZoneProps {
  readonly label: string;
  /** File types, as in the attribute `accept`: ".yang". */
  readonly accept: string;
  readonly onTexts: (texts: readonly DroppedText[]) => void;
  /** Maximum size of a file, in bytes. */
  readonly maxBytes: number;
}

/** Reads files that the reader chooses or drops. Nothing is sent. */
export function DropZone({ label, accept, onTexts, maxBytes }: DropZoneProps): ReactNode {
  const id = useId();
  const [fault, setFault] = useState('');
  const [isOver, setOver] = useState(false);
  const read = async (files: readonly File[]) => {
    const large = files.find(({ size }) => size > maxBytes);
    setFault(large ? messages('fileTooLarge', { name: large.name, size: formatSize(maxBytes) }) : '');
    if (large || files.length === 0) return;
    onTexts(await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() }))));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void read([...event.dataTransfer.files]);
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => void read([...(target.files ?? [])]);
  return (
    <div
      className="gh-drop-zone"
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor={id}>{label}</label>
      <input id={id} className="gh-file" type="file" multiple accept={accept} onChange={choose} />
      <span role="alert">{fault}</span>
    </div>
  );
}

import { type ChangeEvent, type ReactNode, useId, useState } from 'react';
import { FormGroup } from '@patternfly/react-core/dist/esm/components/Form';
import '../style/file-field.css';

export interface FileFieldProps {
  readonly label: string;
  /** As in HTML: ".json". */
  readonly accept: string;
  /** Gets what stands in the file, and the name of the file. */
  readonly onText: (text: string, name: string) => void;
  /** Largest file that is read, in bytes; as much as the server takes when left out. */
  readonly maxBytes?: number;
}

/** Largest body that the server takes when nobody says otherwise. */
const BODY_BYTES = 1_048_576;

/** A file of the reader's, as text. Nothing is sent. */
export function FileField({ label, accept, onText, maxBytes = BODY_BYTES }: FileFieldProps): ReactNode {
  const id = useId();
  const [fault, setFault] = useState('');
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    const isTooLarge = file.size > maxBytes;
    setFault(isTooLarge ? `${file.name} is larger than ${maxBytes} bytes.` : '');
    if (!isTooLarge) onText(await file.text(), file.name);
    // So that the same file can be chosen again.
    target.value = '';
  };
  return (
    <FormGroup label={label} fieldId={id}>
      <input id={id} className="gh-file" type="file" accept={accept} onChange={(event) => void read(event)} />
      <span role="alert">{fault}</span>
    </FormGroup>
  );
}

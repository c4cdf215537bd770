import { type ChangeEvent, type ReactNode, useId, useState } from 'react';
import { FormGroup } from '@patternfly/react-core/dist/esm/components/Form';
import '../style/file-field.css';

export interface FileFieldProps {
  readonly label: string;
  /** File types, as in HTML: ".json". */
  readonly accept: string;
  /** Called with the content and the name of the file. */
  readonly onText: (text: string, name: string) => void;
  /** Maximum size of the file, in bytes; the server's default limit if left out. */
  readonly maxBytes?: number;
}

/** Default limit of the server for request bodies, in bytes. */
const BODY_BYTES = 1_048_576;

/** Reads a file that the reader chooses, as text. Nothing is sent. */
export function FileField({ label, accept, onText, maxBytes = BODY_BYTES }: FileFieldProps): ReactNode {
  const id = useId();
  const [fault, setFault] = useState('');
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    const isTooLarge = file.size > maxBytes;
    setFault(isTooLarge ? `${file.name} is larger than ${maxBytes} bytes.` : '');
    if (!isTooLarge) onText(await file.text(), file.name);
    // Allows choosing the same file again.
    target.value = '';
  };
  return (
    <FormGroup label={label} fieldId={id}>
      <input id={id} className="gh-file" type="file" accept={accept} onChange={(event) => void read(event)} />
      <span role="alert">{fault}</span>
    </FormGroup>
  );
}

import { type ReactNode, useState } from 'react';
import { EMPTY_DRAFT } from '../../design/draft.js';
import { inferSchema } from '../../design/infer-schema.js';
import { fieldCount } from '../../design/outline.js';
import { Button } from '../../kit/button.js';
import { CodeEditor } from '../../kit/code-editor.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { Link } from '../../kit/link.js';
import { Segments } from '../../kit/choices.js';
import { useCreateForm } from './create-form.js';

const START_OPTIONS = [
  { key: 'empty', label: 'Empty form' },
  { key: 'example', label: 'From an example' },
] as const;

/** Creates a form: empty, or from an example document. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [start, setStart] = useState<'empty' | 'example'>('empty');
  const [example, setExample] = useState('');
  const { create, isBusy, problem } = useCreateForm();
  const schema = start === 'example' ? tryInfer(example) : EMPTY_DRAFT.schema;
  const isReady = name.trim() !== '' && schema !== undefined;
  const submit = () =>
    schema &&
    create({ ...EMPTY_DRAFT, name: name.trim(), description, schema: { title: name.trim(), ...schema } });
  return (
    <Dialog
      title="Create form"
      isOpen
      isWide
      onClose={onClose}
      actions={
        <Button kind="primary" isDisabled={!isReady} isBusy={isBusy} onPress={submit}>
          Create
        </Button>
      }
    >
      <div className="gh-stack">
        {problem && <Failure problem={problem} />}
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          isRequired
          help="Must be unique. Automations refer to the form by its name."
        />
        <TextField label="Description" value={description} onChange={setDescription} />
        <Segments label="Start with" options={START_OPTIONS} value={start} onChange={setStart} />
        {start === 'example' && (
          <>
            <CodeEditor label="Example data as JSON" height="small" value={example} onChange={setExample} />
            <p className="gh-quiet" role="status">
              {schema
                ? `${fieldCount(schema)} fields found. The example is stored with the form as a test.`
                : 'Paste an example of the data that the form collects.'}
            </p>
          </>
        )}
        <p className="gh-quiet">
          To create a form from YANG modules, use the page <Link to="/yang">YANG to schema</Link>.
        </p>
      </div>
    </Dialog>
  );
}

function tryInfer(text: string) {
  try {
    return text.trim() === '' ? undefined : inferSchema(JSON.parse(text));
  } catch {
    return undefined;
  }
}

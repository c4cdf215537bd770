import { type ReactNode, useState } from 'react';
import { useSession } from '../../app/session.js';
import { EMPTY_DRAFT } from '../../design/draft.js';
import { inferSchema } from '../../design/infer-schema.js';
import { fieldCount } from '../../design/outline.js';
import { type FormTemplate, TEMPLATES } from '../../design/templates.js';
import { Button } from '../../kit/button.js';
import { Segments } from '../../kit/choices.js';
import { CodeEditor } from '../../kit/code-editor.js';
import { Dialog } from '../../kit/dialog.js';
import { Failure } from '../../kit/feedback.js';
import { TextField } from '../../kit/fields.js';
import { Link } from '../../kit/link.js';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import type { Schema } from '../api/operation.js';
import { useCreateForm } from './create-form.js';
import { MethodStart } from './method-start.js';
import { TemplateField } from './template-field.js';

const text = textOf('forms');

type Start = 'empty' | 'template' | 'example' | 'method';

interface CreateDialogProps {
  /** What the dialog offers first. */
  readonly firstStart: Start;
  readonly onClose: () => void;
}

/** Creates a form: empty, from a template, from an example document, or for the arguments of a method. */
export function CreateDialog({ firstStart, onClose }: CreateDialogProps): ReactNode {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [start, setStart] = useState(firstStart);
  const [example, setExample] = useState('');
  const [template = TEMPLATES[0], setTemplate] = useState(TEMPLATES[0]);
  const { create, isBusy, problem } = useCreateForm();
  const [input, setInput] = useState<Schema>();
  const { may } = useSession();
  const { schema, uiSchema } = contentOf(start, { example, template, input });
  const isReady = name.trim() !== '' && schema !== undefined;
  const submit = () =>
    schema &&
    create({
      ...EMPTY_DRAFT,
      name: name.trim(),
      description,
      uiSchema,
      schema: { title: name.trim(), ...schema },
    });
  return (
    <Dialog
      title={text('createTitle')}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <Button kind="primary" isDisabled={!isReady} isBusy={isBusy} onPress={submit}>
          {text('create')}
        </Button>
      }
    >
      <div className="gh-stack">
        {problem && <Failure problem={problem} />}
        <TextField label={text('name')} value={name} onChange={setName} isRequired help={text('nameHelp')} />
        <TextField label={text('description')} value={description} onChange={setDescription} />
        <Segments<Start>
          label={text('startWith')}
          options={startOptions(may('getAdapterMethods'))}
          value={start}
          onChange={setStart}
        />
        {start === 'template' && template && <TemplateField template={template} onChange={setTemplate} />}
        {start === 'method' && (
          <MethodStart
            onMethod={(adapter, method) => {
              setInput(method?.input);
              if (method && name === '') setName(`${adapter} ${method.name}`);
            }}
          />
        )}
        {start === 'example' && (
          <>
            <CodeEditor label={text('example')} height="small" value={example} onChange={setExample} />
            <p className="gh-quiet" role="status">
              {schema ? text('exampleFound', { count: fieldCount(schema) }) : text('exampleHelp')}
            </p>
          </>
        )}
        <p className="gh-quiet">
          {rich(text, 'fromYang', { link: (children) => <Link to="/yang">{children}</Link> })}
        </p>
      </div>
    </Dialog>
  );
}

function startOptions(hasMethods: boolean): readonly { readonly key: Start; readonly label: string }[] {
  return [
    { key: 'empty', label: text('startEmpty') },
    { key: 'template', label: text('startTemplate') },
    { key: 'example', label: text('startExample') },
    ...(hasMethods ? [{ key: 'method', label: text('startMethod') } as const] : []),
  ];
}

interface Starts {
  readonly example: string;
  readonly template: FormTemplate | undefined;
  readonly input: Schema | undefined;
}

/** Returns what the form starts with; without a schema as long as nothing is chosen. */
function contentOf(start: Start, { example, template, input }: Starts) {
  if (start === 'example') return { schema: tryInfer(example), uiSchema: {} };
  if (start === 'method') return { schema: input, uiSchema: {} };
  return (start === 'template' ? template : undefined) ?? EMPTY_DRAFT;
}

function tryInfer(json: string) {
  try {
    return json.trim() === '' ? undefined : inferSchema(JSON.parse(json));
  } catch {
    return undefined;
  }
}

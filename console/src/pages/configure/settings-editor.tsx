import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ProblemError } from '../../api/problem.js';
import { type FormState, withServerErrors } from '../../form/model/index.js';
import type { ValuePicker } from '../../form/view/form-controller.js';
import { FormView } from '../../form/view/form-view.js';
import { Segments } from '../../kit/choices.js';
import { CodeEditor, type CodeMark } from '../../kit/code-editor.js';
import { faultOfObject } from '../../kit/json-text.js';
import { textOf } from '../../text/text.js';
import { type BodyForm, bodyText, openBodyForm } from '../api/body-form.js';
import type { Schema } from '../api/operation.js';
import type { OfferReferences } from './references.js';
import type { SettingsKind } from './settings-kind.js';
import { settingsIn, type SettingsPlace, withSettings } from './settings-text.js';

const text = textOf('configure');

interface SettingsEditorProps {
  /** Schema of the settings, as the server returns it. */
  readonly schema: Schema;
  /** Accessible name of the document in the tab JSON. */
  readonly label: string;
  /** The document as JSON. */
  readonly value: string;
  /** What the settings belong to, and where they are in the document. Must not change. */
  readonly kind: SettingsKind;
  readonly onChange: (value: string) => void;
  /** References that the fields of secrets offer; absent without a Vault. */
  readonly offer?: OfferReferences | undefined;
  /** Dialog that chooses a reference; absent if the user may not list the names in Vault. */
  readonly picker?: ValuePicker | undefined;
  /** Errors of the server, with pointers into the document; a new list marks the fields again. */
  readonly errors: readonly ProblemError[];
}

type View = 'form' | 'json';

/**
 * Edits settings as a form, and the document around them as JSON. Both tabs edit the same text: members that
 * the form does not know are kept. Text that is not valid JSON stays in the tab JSON until it is corrected.
 */
export function SettingsEditor(props: SettingsEditorProps): ReactNode {
  const { kind, label, value, onChange, errors } = props;
  const [view, setView] = useState<View>('form');
  const fault = faultOfObject(value);
  return (
    <div className="gh-stack">
      <Segments<View>
        label={text('settingsView')}
        options={[
          { key: 'form', label: text('form') },
          { key: 'json', label: text('json') },
        ]}
        value={view}
        onChange={setView}
      />
      {view === 'json' ? (
        <>
          <CodeEditor
            label={label}
            height="large"
            value={value}
            onChange={onChange}
            marks={marksOf(errors)}
          />
          <p className="gh-quiet" role="status">
            {fault ?? kind.jsonHelp()}
          </p>
          <ErrorList errors={errors} />
        </>
      ) : fault === undefined ? (
        <SettingsForm {...props} />
      ) : (
        <p role="alert">{text('notAForm', { fault })}</p>
      )}
    </div>
  );
}

/** Edits settings as a form. Opens the form again when the text was changed elsewhere. */
function SettingsForm({
  schema,
  value,
  kind,
  onChange,
  offer,
  picker,
  errors,
}: SettingsEditorProps): ReactNode {
  const { place } = kind;
  const shown = useMemo(() => kind.formSchema(schema, offer), [kind, schema, offer]);
  const open = () =>
    markedForm(openBodyForm(shown, settingsIn(value, place), kind.uiSchema(shown)), errors, place);
  const [opened, setOpened] = useState(open);
  const written = useRef(value);
  const openedSchema = useRef(shown);
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    if (written.current === value && openedSchema.current === shown) return;
    written.current = value;
    openedSchema.current = shown;
    setOpened(latest.current());
  }, [value, shown]);
  useEffect(() => setOpened((current) => markedForm(current, errors, place)), [errors, place]);
  if ('lack' in opened) return <p role="status">{text('noForm', { lack: opened.lack })}</p>;
  const edit = (next: FormState) => {
    if (next.data !== opened.form.data) {
      written.current = withSettings(value, place, bodyText(next));
      onChange(written.current);
    }
    setOpened({ form: next });
  };
  return (
    <>
      <FormView state={opened.form} onChange={edit} view="form" picker={picker} />
      <ErrorList errors={errors.filter(({ pointer }) => !isInForm(pointer, place))} />
    </>
  );
}

/** Marks the fields of a form that the server refused. */
function markedForm(body: BodyForm, errors: readonly ProblemError[], place: SettingsPlace): BodyForm {
  if ('lack' in body) return body;
  const prefix = pointerOf(place);
  const own = errors
    .filter(({ pointer }) => isInForm(pointer, place))
    .map(({ pointer, message }) => ({ pointer: pointer.slice(prefix.length), message }));
  return { form: withServerErrors(body.form, own) };
}

function pointerOf({ path }: SettingsPlace): string {
  return path.map((name) => `/${name}`).join('');
}

/** Returns true for the pointer of the settings, or of a value in them that the form shows. */
function isInForm(pointer: string, place: SettingsPlace): boolean {
  const prefix = pointerOf(place);
  if (pointer === prefix) return true;
  if (!pointer.startsWith(`${prefix}/`)) return false;
  const [member = ''] = pointer.slice(prefix.length + 1).split('/');
  return place.members?.includes(member) !== false;
}

/** Lists errors with their pointers, for readers who do not see the marks in the text. */
function ErrorList({ errors }: { readonly errors: readonly ProblemError[] }): ReactNode {
  if (errors.length === 0) return null;
  return (
    <ul className="gh-faults">
      {errors.map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`}>
          <code>{pointer === '' ? text('wholeDocument') : pointer}</code> {message}
        </li>
      ))}
    </ul>
  );
}

function marksOf(errors: readonly ProblemError[]): readonly CodeMark[] {
  return errors.map(({ pointer, message }) => ({ position: { pointer }, message, kind: 'error' }));
}

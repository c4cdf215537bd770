import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ProblemError } from '../../api/problem.js';
import { type FormState, withServerErrors } from '../../form/model/index.js';
import { FormView } from '../../form/view/form-view.js';
import { Segments } from '../../kit/choices.js';
import { CodeEditor, type CodeMark } from '../../kit/code-editor.js';
import { faultOfObject } from '../../kit/json-text.js';
import { textOf } from '../../text/text.js';
import { type BodyForm, bodyText, openBodyForm } from '../api/body-form.js';
import type { Schema } from '../api/operation.js';
import { formSchema } from './form-schema.js';
import { settingsIn, type SettingsPath, withSettings } from './settings-text.js';

const text = textOf('configure');

export interface SettingsEditorProps {
  /** Schema of the settings, as the server returns it. */
  readonly schema: Schema;
  /** Accessible name of the document in the tab JSON. */
  readonly label: string;
  /** The document as JSON. */
  readonly value: string;
  /** Where the settings are in the document. */
  readonly path: SettingsPath;
  readonly onChange: (value: string) => void;
  /** Errors of the server, with pointers into the document; a new list marks the fields again. */
  readonly errors: readonly ProblemError[];
}

type View = 'form' | 'json';

/**
 * Edits settings as a form, and the document around them as JSON. Both tabs edit the same text: members that
 * the form does not know are kept. Text that is not valid JSON stays in the tab JSON until it is corrected.
 */
export function SettingsEditor(props: SettingsEditorProps): ReactNode {
  const { label, value, onChange, errors } = props;
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
            {fault ?? text('jsonHelp')}
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
function SettingsForm({ schema, value, path, onChange, errors }: SettingsEditorProps): ReactNode {
  const shown = useMemo(() => formSchema(schema), [schema]);
  const open = () => markedForm(openBodyForm(shown, settingsIn(value, path)), errors, path);
  const [opened, setOpened] = useState(open);
  const written = useRef(value);
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    if (written.current === value) return;
    written.current = value;
    setOpened(latest.current());
  }, [value]);
  useEffect(() => setOpened((current) => markedForm(current, errors, path)), [errors, path]);
  if ('lack' in opened) return <p role="status">{text('noForm', { lack: opened.lack })}</p>;
  const edit = (next: FormState) => {
    if (next.data !== opened.form.data) {
      written.current = withSettings(value, path, bodyText(next));
      onChange(written.current);
    }
    setOpened({ form: next });
  };
  return (
    <>
      <FormView state={opened.form} onChange={edit} view="form" />
      <ErrorList errors={errors.filter(({ pointer }) => !isBelow(pointer, path))} />
    </>
  );
}

/** Marks the fields of a form that the server refused. */
function markedForm(body: BodyForm, errors: readonly ProblemError[], path: SettingsPath): BodyForm {
  if ('lack' in body) return body;
  const prefix = pointerOf(path);
  const own = errors
    .filter(({ pointer }) => isBelow(pointer, path))
    .map(({ pointer, message }) => ({ pointer: pointer.slice(prefix.length), message }));
  return { form: withServerErrors(body.form, own) };
}

function pointerOf(path: SettingsPath): string {
  return path.map((name) => `/${name}`).join('');
}

/** Returns true for the pointer of the settings, or of a member of them. */
function isBelow(pointer: string, path: SettingsPath): boolean {
  const prefix = pointerOf(path);
  return pointer === prefix || pointer.startsWith(`${prefix}/`);
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

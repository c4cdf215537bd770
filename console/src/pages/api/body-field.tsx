import { type ReactNode, useState } from 'react';
import type { FormState } from '../../form/model/index.js';
import { FormView } from '../../form/view/form-view.js';
import { CodeEditor } from '../../kit/code-editor.js';
import { Segments } from '../../kit/segments.js';
import { type BodyForm, bodyText, openBody } from './body-form.js';
import type { Schema } from './operation.js';

export interface BodyFieldProps {
  /** The schema with all schemas that it refers to. */
  readonly schema: Schema;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Why the text is not valid JSON. */
  readonly fault: string | undefined;
}

const WAYS = [
  { key: 'form', label: 'Form' },
  { key: 'json', label: 'JSON' },
] as const;

/**
 * The body of a call, as a form and as JSON of the same text. If the schema supports no form, there is only
 * JSON.
 */
export function BodyField({ schema, text, onChange, fault }: BodyFieldProps): ReactNode {
  const [made, setMade] = useState<BodyForm>(() => openBody(schema, text));
  const [hasForm] = useState('form' in made);
  const [way, setWay] = useState<'form' | 'json'>('form');
  const choose = (next: 'form' | 'json') => {
    if (next === 'form') setMade(openBody(schema, text));
    setWay(next);
  };
  const edit = (next: FormState) => {
    setMade({ form: next });
    if ('form' in made && next.data !== made.form.data) onChange(bodyText(next));
  };
  const isForm = way === 'form' && 'form' in made;
  return (
    <div className="gh-stack">
      <div className="gh-api-body">
        <p>
          Body{' '}
          <span className="gh-quiet">
            Contains the required members; the schema below describes all members.
          </span>
        </p>
        {hasForm && (
          <Segments label="Body view" options={WAYS} value={isForm ? 'form' : 'json'} onChange={choose} />
        )}
      </div>
      {isForm ? (
        <FormView state={made.form} onChange={edit} />
      ) : (
        <CodeEditor label="Body" value={text} onChange={onChange} height={heightOf(text)} />
      )}
      {fault !== undefined && <p role="alert">{fault}</p>}
      {hasForm && way === 'form' && 'lack' in made && fault === undefined && (
        <p role="status">There is no form for this body: {made.lack}.</p>
      )}
    </div>
  );
}

function heightOf(text: string): 'small' | 'medium' {
  return text.split('\n').length > 12 ? 'medium' : 'small';
}

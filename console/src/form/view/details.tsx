import type { ReactNode } from 'react';
import { withCode } from '../../text/inline-code.js';
import { type Condition, labelOf, type Row } from '../model/index.js';
import { boundNotes } from './binding-loader.js';
import { useChangeNote } from './change-notes.js';
import { Button, Icon } from './controls.js';
import { errorTexts } from './error-text.js';
import { copyPath } from './form-actions.js';
import { useFormController } from './form-controller.js';
import { formText } from './form-text.js';
import { brief } from './shown-text.js';

/** Details of a row: path, description, constraints and errors. */
export function Details({ row }: { readonly row: Row | undefined }): ReactNode {
  const controller = useFormController();
  const note = useChangeNote(row);
  if (!row) return null;
  return (
    <aside className="gf-details" aria-label={formText('about')} tabIndex={0}>
      <h3 dir="auto">{row.title}</h3>
      <p className="gf-code gf-path">{row.pointer}</p>
      <Button onClick={() => copyPath(controller, row)}>{formText('copyPath')}</Button>
      {errorTexts(controller.now(), row.errors).map((message) => (
        <p key={message} className="gf-error" dir="auto">
          <Icon name="error" /> {message}
        </p>
      ))}
      {note !== undefined && (
        <p className="gf-edited" dir="auto">
          <Icon name="edited" /> {note}
        </p>
      )}
      {boundNotes(row).map((note) => (
        <p key={note} className="gf-warning" dir="auto">
          {note}
        </p>
      ))}
      {row.unknown && <p className="gf-warning">{formText('unknown')}</p>}
      {row.description !== undefined && (
        <p className="gf-description" dir="auto">
          {withCode(row.description)}
        </p>
      )}
      {row.help !== undefined && (
        <p className="gf-description" dir="auto">
          {withCode(row.help)}
        </p>
      )}
      <dl>
        {detailsOf(row).map(([name, value]) => (
          <div key={name + value}>
            <dt>{name}</dt>
            <dd>{brief(value)}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}

/** YANG statements that have a line of their own in the details. */
const SHOWN_STATEMENTS: ReadonlySet<string> = new Set([
  'type',
  'units',
  'key',
  'keys',
  'when',
  'must',
  'presence',
]);

function detailsOf(row: Row): readonly (readonly [string, string])[] {
  const { units, defaultValue, list, yang } = row;
  const words = [
    row.required && formText('required'),
    row.readOnly && formText('readOnly'),
    row.deprecated && formText('deprecated'),
  ].filter((word) => word !== false);
  return [
    [formText('type'), [row.type, ...words].join(', ')] as const,
    ...(units === undefined ? [] : [[formText('units'), units] as const]),
    ...(defaultValue === undefined ? [] : [[formText('default'), labelOf(defaultValue)] as const]),
    ...(list && list.keys.length > 0 ? [[formText('listKeys'), list.keys.join(' ')] as const] : []),
    ...row.when.map((condition) => [formText('condition'), conditionText(condition)] as const),
    ...row.must.map((condition) => [formText('rule'), conditionText(condition)] as const),
    ...Object.entries(yang).flatMap(([name, value]) =>
      !SHOWN_STATEMENTS.has(name) && (typeof value === 'string' || typeof value === 'boolean')
        ? [[name, String(value)] as const]
        : [],
    ),
  ];
}

function conditionText({ xpath, message, holds }: Condition): string {
  const result =
    holds === undefined ? formText('undecided') : holds ? formText('holds') : formText('violated');
  return `${message ?? xpath} (${result})`;
}

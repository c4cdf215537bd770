import { type ReactNode, useId, useState } from 'react';
import { textOf } from '../../../text/text.js';
import {
  documentText,
  type FormState,
  type Json,
  jsonFrom,
  jsonPatch,
  mergePatch,
  writeJson,
  yangDocument,
} from '../../model/index.js';
import { FormDialog } from './form-dialog.js';
import { TextOutput, type TextOutputProps } from './text-output.js';

const formText = textOf('form');

const FORMATS = ['json', 'jsonPatch', 'mergePatch', 'yang'] as const;
type Format = (typeof FORMATS)[number];

/** Maximum length of the shown text; Copy copies the full text. */
const MAX_SHOWN_LENGTH = 50_000;

/** Dialog that exports the document, or its changes, in common formats. */
export function ExportDialog({ state }: { readonly state: FormState }): ReactNode {
  const id = useId();
  const [format, setFormat] = useState<Format>('json');
  const out = exported(state, format);
  const text = out?.text ?? '';
  return (
    <FormDialog title={formText('export')} isWide actions={out && <TextOutput {...out} />}>
      <p className="gf-line">
        <label htmlFor={id}>{formText('format')}</label>
        <select
          id={id}
          className="gh-input gf-input"
          value={format}
          onChange={(event) => setFormat(formatOf(event.currentTarget.value))}
        >
          {FORMATS.map((name) => (
            <option key={name} value={name}>
              {formText(name)}
            </option>
          ))}
        </select>
      </p>
      {out ? (
        <pre className="gf-code" tabIndex={0} role="group" aria-label={formText(format)}>
          {text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}\n…` : text}
        </pre>
      ) : (
        <p className="gf-warning">{formText('noMergePatch')}</p>
      )}
    </FormDialog>
  );
}

function formatOf(text: string): Format {
  return FORMATS.find((name) => name === text) ?? 'json';
}

const FILES = {
  json: { fileName: 'form.json', type: 'application/json' },
  jsonPatch: { fileName: 'form.patch.json', type: 'application/json-patch+json' },
  mergePatch: { fileName: 'form.merge-patch.json', type: 'application/merge-patch+json' },
  yang: { fileName: 'form.yang-data.json', type: 'application/yang-data+json' },
} as const;

function exported(state: FormState, format: Format): TextOutputProps | undefined {
  if (format === 'json') return { ...FILES.json, text: documentText(state, 2) };
  const value = valueOf(state, format);
  return value === undefined ? undefined : { ...FILES[format], text: writeJson(value, 2) };
}

function valueOf(state: FormState, format: Exclude<Format, 'json'>): Json | undefined {
  if (format === 'jsonPatch') return jsonFrom(jsonPatch(state));
  return format === 'mergePatch' ? mergePatch(state) : yangDocument(state);
}

import { isJsonObject } from '../../../../src/json/json-object.js';
import { type JsonMembers, readJson, writeJson } from '../../form/model/index.js';
import { textOf } from '../../text/text.js';

const text = textOf('forms');

/** Content of a text from which forms are imported. */
export interface FormsText {
  /** Body of the import, with every digit of the text. */
  readonly json: string;
  readonly names: readonly string[];
}

/**
 * Parses an export: a list of forms, `{"forms": [...]}`, or one form. Throws an error that describes any
 * other content.
 */
export function readForms(json: string): FormsText {
  const value: unknown = JSON.parse(json);
  if (Array.isArray(value)) return { json: `{"forms":${json}}`, names: namesOf(value) };
  if (!isJsonObject(value)) throw new Error(text('notForms'));
  const { forms } = value;
  if (Array.isArray(forms)) {
    const isAlone = Object.keys(value).length === 1;
    return { json: isAlone ? json : withForms(json), names: namesOf(forms) };
  }
  if (typeof value['name'] !== 'string') throw new Error(text('formWithoutName'));
  return { json: `{"forms":[${json}]}`, names: namesOf([value]) };
}

/** Returns the member `forms` of an export alone, with every digit. */
function withForms(json: string): string {
  const { forms = [] } = readJson(json) as JsonMembers;
  return writeJson({ forms });
}

function namesOf(forms: readonly unknown[]): readonly string[] {
  return forms.map((form) => {
    const name = isJsonObject(form) ? form['name'] : undefined;
    return typeof name === 'string' ? name : text('noName');
  });
}

/** Returns the name of the export file. */
export function exportName(names: readonly string[]): string {
  const [only] = names;
  if (names.length !== 1 || only === undefined) return `forms-${names.length}.json`;
  return `${only.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'form'}.json`;
}

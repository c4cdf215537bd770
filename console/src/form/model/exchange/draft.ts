import { readJson, writeJson } from '../json/json-text.js';
import { isMembers, type Json } from '../json/json.js';
import { type Conflict, mergeThree } from '../json/three-way.js';
import { withFilter } from '../rows/open-rows.js';
import { rowsOf } from '../rows/rows-of.js';
import type { FormState } from '../state/form-state.js';
import { committed } from '../state/history.js';

/** Result of applying edits to another version of the document. */
export interface MergedDraft {
  readonly state: FormState;
  /** Locations that both sides changed. The form keeps the value of the edits. */
  readonly conflicts: readonly Conflict[];
}

export interface OpenedDraft extends MergedDraft {
  /** False if the draft was made with another schema. */
  readonly sameSchema: boolean;
}

/** Returns the edits as text: the loaded document, the current document, and a hash of the schema. */
export function draftOf(state: FormState): string {
  const { loaded, data } = state;
  return writeJson({
    version: 1,
    schema: schemaHash(state),
    ...(loaded !== undefined && { loaded }),
    ...(data !== undefined && { data }),
  });
}

/** Returns the form with the edits of a draft. Throws a `SyntaxError` if the text is not a draft. */
export function withDraft(state: FormState, text: string): OpenedDraft {
  const draft = readJson(text);
  if (!isMembers(draft) || draft['version'] !== 1) throw new SyntaxError('the text is not a form draft');
  const merged = mergeThree(
    { base: draft['loaded'], ours: draft['data'], theirs: state.loaded },
    state.form.root,
  );
  return {
    state: committed(state, { content: { data: merged.value }, pointer: '', editName: '' }),
    conflicts: merged.conflicts,
    sameSchema: draft['schema'] === schemaHash(state),
  };
}

/** Returns the form with its edits applied to a newer document that another user saved. */
export function withLoaded(state: FormState, loaded: Json): MergedDraft {
  const merged = mergeThree({ base: state.loaded, ours: state.data, theirs: loaded }, state.form.root);
  const { data, ...rest } = committed(state, { content: { data: merged.value }, pointer: '', editName: '' });
  return { state: { ...rest, data, loaded }, conflicts: merged.conflicts };
}

const HASHES = new WeakMap<FormState['form'], string>();

function schemaHash({ form }: FormState): string {
  const given = form.options.schemaHash ?? HASHES.get(form);
  if (given !== undefined) return given;
  const hash = hashOf(JSON.stringify(form.document.root));
  HASHES.set(form, hash);
  return hash;
}

/** FNV-1a with two bases: detects different schemas, but does not protect against forgery. */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x1000193];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Returns true if a secret field (`writeOnly`, `x-secret`, the widget `password`) has a value. */
export function holdsSecret(state: FormState): boolean {
  const { rows } = rowsOf(withFilter(state, 'is:filled'));
  return rows.some(({ editor, filled }) => filled && editor.kind === 'text' && editor.secret);
}

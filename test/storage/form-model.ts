import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../src/core/problem.js';
import type { Form } from '../../src/features/forms/form-store.js';
import type { Store } from '../../src/features/store.js';
import { form, formId, formTextsOf, LIMITS } from '../support/form.js';

/** An action on a store. Only few names and IDs exist, so that actions collide. */
type FormAction =
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'update'; readonly key: string; readonly changes: Partial<Form> }
  | { readonly kind: 'remove'; readonly ids: readonly string[] }
  | { readonly kind: 'import'; readonly names: readonly string[] }
  | { readonly kind: 'find'; readonly key: string };

const NAMES = ['a', 'b', 'a (1)', 'A', 'é', formId(2)];
const LIMITED = { ...LIMITS, maxForms: 6, maxVersions: 2 };

const name = fc.constantFrom(...NAMES);
const id = fc.integer({ min: 1, max: 12 }).map(formId);
const key = fc.oneof(name, id);

/** Generates sequences of actions. */
export const formActions: fc.Arbitrary<readonly FormAction[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('create' as const), name }),
    fc.record({ kind: fc.constant('update' as const), key, changes: fc.oneof(fc.record({ name }), fc.record({ description: fc.string() })) }), // prettier-ignore
    fc.record({ kind: fc.constant('remove' as const), ids: fc.array(id, { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('import' as const), names: fc.array(name, { maxLength: 3 }) }),
    fc.record({ kind: fc.constant('find' as const), key }),
  ),
  { maxLength: 20 },
);

/** Reference model of a store: forms in a list, implemented as simply as possible. */
interface Model {
  forms: Form[];
  versions: Map<string, string[]>;
  /** Number of ids used so far. */
  usedIds: number;
}

/**
 * Applies the actions to an empty store, and asserts that results and final content match the model. Returns
 * the content.
 */
export async function followModel(store: Store, sequence: readonly FormAction[]): Promise<readonly string[]> {
  const model: Model = { forms: [], versions: new Map(), usedIds: 0 };
  for (const action of sequence) {
    const usedIds = model.usedIds;
    assert.deepEqual(
      await toStore(store, action, usedIds).catch(problemCodeOf),
      toModel(model, action),
      JSON.stringify(action),
    );
  }
  const kept = await formTextsOf(store.forms.list());
  const expected = [...model.forms].sort((one, other) => (one.id < other.id ? -1 : 1));
  assert.deepEqual(kept, expected.map((one) => JSON.stringify(one))); // prettier-ignore
  for (const one of model.forms)
    assert.deepEqual(((await store.forms.versions(one.id)) ?? []).map(({ json }) => json), model.versions.get(one.id) ?? []); // prettier-ignore
  await store.forms.remove(Array.from({ length: model.usedIds + 1 }, (_, at) => formId(at)));
  return kept;
}

function problemCodeOf(error: unknown): string {
  if (error instanceof Problem) return error.code;
  throw error;
}

async function toStore({ forms }: Store, action: FormAction, usedIds: number): Promise<unknown> {
  switch (action.kind) {
    case 'create':
      return forms.create(form(usedIds + 1, { name: action.name }), LIMITED);
    case 'update':
      return (
        (await forms.update(action.key, (previous) => ({ ...previous, ...action.changes }), LIMITED)) ?? null
      );
    case 'remove':
      return forms.remove(action.ids);
    case 'import':
      return forms.import(newForms(action.names, usedIds), LIMITED);
    case 'find':
      return (await forms.find(action.key)) ?? null;
  }
}

function newForms(names: readonly string[], usedIds: number): readonly Form[] {
  return names.map((one, at) => form(usedIds + 1 + at, { name: one }));
}

function toModel(model: Model, action: FormAction): unknown {
  switch (action.kind) {
    case 'create':
      return createIn(model, action.name);
    case 'update':
      return updateIn(model, action.key, action.changes);
    case 'remove': {
      const before = model.forms.length;
      model.forms = model.forms.filter((one) => !action.ids.includes(one.id));
      return before - model.forms.length;
    }
    case 'import':
      return importIn(model, action.names);
    case 'find': {
      const found = findIn(model, action.key);
      return found ? { id: found.id, json: JSON.stringify(found) } : null;
    }
  }
}

function findIn({ forms }: Model, wanted: string): Form | undefined {
  return forms.find((one) => one.id === wanted) ?? forms.find((one) => one.name === wanted);
}

function createIn(model: Model, wanted: string): unknown {
  model.usedIds += 1;
  if (model.forms.some((one) => one.name === wanted)) return false;
  if (model.forms.length >= LIMITED.maxForms) return 'too_many_forms';
  model.forms.push(form(model.usedIds, { name: wanted }));
  model.versions.set(formId(model.usedIds), []);
  return true;
}

function updateIn(model: Model, wanted: string, changes: Partial<Form>): unknown {
  const previous = findIn(model, wanted);
  if (!previous) return null;
  const next = { ...previous, ...changes };
  if (model.forms.some((one) => one !== previous && one.name === next.name)) return 'form_name_taken';
  model.forms[model.forms.indexOf(previous)] = next;
  const versions = [JSON.stringify(previous), ...(model.versions.get(previous.id) ?? [])];
  model.versions.set(previous.id, versions.slice(0, LIMITED.maxVersions));
  return next;
}

function importIn(model: Model, names: readonly string[]): unknown {
  const taken = new Set(model.forms.map((one) => one.name));
  const added = newForms(names, model.usedIds).map((one) => {
    let free = one.name;
    for (let number = 1; taken.has(free); number += 1) free = `${one.name} (${number})`;
    taken.add(free);
    return { ...one, name: free };
  });
  model.usedIds += names.length;
  if (model.forms.length + added.length > LIMITED.maxForms) return 'too_many_forms';
  model.forms.push(...added);
  for (const one of added) model.versions.set(one.id, []);
  return added;
}

import { type SchemaSubtree, withSubtrees } from '../../../../../src/form-model/schema-subtrees.js';
import { objectOf } from '../../../../../src/json/json-object.js';
import { completed } from '../completion/complete.js';
import { rulesOf } from '../completion/rules.js';
import { catalogOf, translated } from '../completion/translate.js';
import { Field } from '../field/field.js';
import { flatten, SchemaDocument } from '../field/schema-document.js';
import type { FormOptions, FormSource } from '../types.js';
import type { Form, FormState } from './form-state.js';

/** Creates the state of a form. The schema is read on first use, unless the form fills in values. */
export function openForm(source: FormSource, options: FormOptions = {}): FormState {
  const opened = stateOf(source, options);
  const { rules } = opened.form;
  if (!rules) return opened;
  // What was filled in is no change; what was dropped is one.
  const { data: loaded } = completed(undefined, {
    ...opened,
    form: { ...opened.form, rules: { ...rules, drops: false } },
  });
  return completed(undefined, { ...opened, data: loaded, loaded });
}

function stateOf(source: FormSource, options: FormOptions): FormState {
  return {
    form: formOf(source, options),
    loaded: source.data,
    data: source.data,
    chosen: new Map(),
    stashed: new Map(),
    hidden: new Map(),
    open: new Map(),
    errors: [],
    validationResult: 'unchecked',
    unfolding: 'filled',
    filter: '',
    bound: new Map(),
    defaults: new Map(),
    past: [],
    future: [],
  };
}

function formOf(source: Omit<FormSource, 'data'>, options: FormOptions): Form {
  const catalog = catalogOf(source.uiSchema, options.language);
  const [schema, uiSchema] = [source.schema, source.uiSchema].map((each) =>
    catalog ? translated(each, catalog) : each,
  );
  const document = new SchemaDocument(schema, options.dialect, uiSchema);
  const resource = objectOf(schema);
  const parts = flatten(document, schema, { pointer: '', resource, resourcePointer: '' });
  const ui = objectOf(uiSchema);
  const root = new Field({ document, parts, ui, key: '', path: '' });
  const { isPartial = false } = options;
  const rules = rulesOf({ schema, uiSchema: ui }, options);
  return { document, root, bindingSchema: objectOf(source.bindingSchema), options, isPartial, rules };
}

/** Returns the state with subtrees of its schema that were left out. */
export function withLoadedSubtrees(state: FormState, subtrees: readonly SchemaSubtree[]): FormState {
  const { document, root, bindingSchema, options } = state.form;
  const { schema, uiSchema } = withSubtrees({ schema: document.root, uiSchema: root.source.ui }, subtrees);
  return schema === document.root
    ? state
    : { ...state, form: formOf({ schema, uiSchema, bindingSchema }, options) };
}

import type { Application, Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import {
  filterQueryProperties,
  limitProperty,
  pageOf,
  pageQueryProperties,
  filterFieldsOf,
  isSelective,
  matchesQuery,
  type Page,
} from '../../http/list-query.js';
import { withEmptyMembers } from '../../json/json-members.js';
import { valueAt } from '../../json/pointer.js';
import { readStoredJson } from '../../json/strict-json.js';
import { linesIn } from '../../lib/byte-lines.js';
import { decodeSchema, yangToSchema } from './convert-schema.js';
import type { JsonFormsDeps } from './deps.js';
import { formSchema } from './form-schema.js';
import type { FormStore } from './form-store.js';
import { importForms } from './import-forms.js';
import { getFormById, getFormHistory, getFormSubtrees } from './read-form.js';
import { validateData, validateForm } from './validate-form-data.js';
import { createForm, deleteForms, updateForm } from './write-forms.js';

const formListSchema = { title: 'Forms', type: 'array', items: formSchema } as const;

/** Schemas of the filters: a filter without a field is ignored. */
const formFilterProperties = Object.fromEntries(
  Object.entries(filterQueryProperties).map(([name, schema]) => [
    name,
    name.endsWith('Field') ? { type: 'string', description: fieldDescription(name) } : schema,
  ]),
);

function fieldDescription(name: string): string {
  return `Field for ${name.slice(0, -'Field'.length)}; dots separate nested fields; without it the filter is ignored`;
}

/**
 * Returns all forms without a limit, oldest first (specification 4.4, wire 4.3). Filters, `skip` and `limit` select from
 * them.
 */
const getForms: Operation<JsonFormsDeps> = {
  id: 'getForms',
  summary: 'List all JSON forms.',
  description:
    'Returns the stored forms, oldest first: all of them, or those that `limit`, `skip` and filters with a field select. Changes nothing.',
  method: 'GET',
  path: '/forms',
  topics: ['forms'],
  roles: READERS,
  query: {
    type: 'object',
    properties: {
      limit: { ...limitProperty, description: 'Maximum number of forms; default, and 0: all' },
      skip: pageQueryProperties.skip,
      ...formFilterProperties,
    },
  },
  reply: formListSchema,
  handle({ query }, { forms }) {
    // An invalid number is refused before the response starts.
    const { limit, skip } = pageOf(query, Infinity);
    const filters = filtersWithField(query);
    const page = { limit: limit === 0 ? Infinity : limit, skip };
    return { body: { jsonPieces: formListJson(forms, filters, page) } };
  },
};

/** Removes the filters without a field: `Itential.py` sends `equals=name` without the value, and expects all forms. */
function filtersWithField(query: URLSearchParams): URLSearchParams {
  const hasField = (name: string) => !(name in filterQueryProperties) || query.has(`${name}Field`);
  return new URLSearchParams([...query].filter(([name]) => name.endsWith('Field') || hasField(name)));
}

/** Yields the list of the forms that match a query as JSON, oldest first: in bytes, because texts would be encoded again. */
export async function* formListJson(
  forms: FormStore,
  query: URLSearchParams,
  part: ListPart,
): AsyncGenerator<string | Buffer> {
  let start = OPENING;
  for await (const batch of selectForms(forms, query, part)) {
    if (batch.length === 0) continue;
    yield Buffer.concat(batch.flatMap((json, at) => [at === 0 ? start : COMMA, json.subarray(0, -1), TAGS]));
    start = COMMA;
  }
  yield start === OPENING ? '[]' : ']';
}

const [OPENING, COMMA] = [Buffer.from('['), Buffer.from(',')];

/** The member `tags`, which clients expect only in the list (wire 4.1), in place of the closing brace of a form. */
const TAGS = Buffer.from(',"tags":[]}');

/** How many items of a list to skip, and how many to return at most. */
type ListPart = Pick<Page, 'limit' | 'skip'>;

type Batches<T> = AsyncIterable<readonly T[]>;

/** Fields of a form that its head has; an empty text is the name. */
const HEAD_FIELDS: readonly string[] = ['', 'id', 'name'];

const FORM_SHAPE = { nameOf: (form: object) => String(valueAt(form, '/name')) };

/** Returns the JSON of the forms that match a query. Reads and parses only the documents that it needs. */
function selectForms(forms: FormStore, query: URLSearchParams, part: ListPart): Batches<Buffer> {
  if (!isSelective(query)) return documentsIn(forms.list());
  const matches = (form: object) => matchesQuery(form, query, FORM_SHAPE);
  const fields = filterFieldsOf(query);
  return fields.every((field) => HEAD_FIELDS.includes(field))
    ? documentsIn(forms.list(selectItems(forms.heads(), matches, part)))
    : selectItems(documentsIn(forms.list()), (json) => matches(parseFields(json, fields)), part);
}

/** Members of a form that may be large. */
const LARGE_MEMBERS: ReadonlySet<string> = new Set([
  ...['struct', 'schema', 'uiSchema'],
  ...['bindingSchema', 'validationSchema'],
]);

/** Parses a form. The large members are empty objects if none of the fields is in them. */
function parseFields(json: Buffer, fields: readonly string[]): object {
  const text = json.toString();
  const isWhole = fields.some((field) => LARGE_MEMBERS.has(field.split('.')[0] ?? ''));
  return readStoredJson(isWhole ? text : withEmptyMembers(text, LARGE_MEMBERS)) as object;
}

async function* documentsIn(pages: AsyncIterable<Buffer>): AsyncGenerator<readonly Buffer[]> {
  for await (const page of pages) yield [...linesIn(page)];
}

/** Returns the items that match, from `skip` on, at most `limit`. */
async function* selectItems<T>(
  batches: Batches<T>,
  matches: (item: T) => boolean,
  { limit, skip }: ListPart,
): AsyncGenerator<readonly T[]> {
  let first = skip;
  let rest = limit;
  for await (const batch of batches) {
    const found = batch.filter(matches);
    const selected = found.slice(first, first + rest);
    first = Math.max(0, first - found.length);
    rest -= selected.length;
    yield selected;
    if (rest === 0) return;
  }
}

export const jsonForms: Application<JsonFormsDeps> = {
  name: 'json-forms',
  summary: 'JSON forms: storage, validation, import, and conversion from YANG.',
  component: 'JsonForms',
  isInteractive: true,
  prefixes: ['/json-forms'],
  operations: [
    createForm,
    getForms,
    getFormById,
    getFormSubtrees,
    getFormHistory,
    updateForm,
    deleteForms,
    importForms,
    validateData,
    validateForm,
    decodeSchema,
    yangToSchema,
  ],
};

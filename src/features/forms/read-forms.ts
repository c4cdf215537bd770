import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { filterQueryProperties, limitProperty, pageOf, pageQueryProperties } from '../../http/list-query.js';
import type { JsonFormsDeps } from './deps.js';
import { formListJson } from './form-list-json.js';
import { formSchema } from './form-schema.js';

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
export const getForms: Operation<JsonFormsDeps> = {
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

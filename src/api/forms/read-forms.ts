import type { FormStore } from '../../core/form.js';
import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonFormsDeps } from './deps.js';
import { formSchema } from './form-schema.js';

const formListSchema = { title: 'Forms', type: 'array', items: formSchema } as const;

/** Returns all forms without a limit, oldest first (specification 4.4, wire 4.3). */
export const getForms: Operation<JsonFormsDeps> = {
  id: 'getForms',
  summary: 'List all JSON forms.',
  description: 'Returns every stored form, oldest first, without pages. Changes nothing.',
  method: 'GET',
  path: '/forms',
  roles: ['admin'],
  reply: formListSchema,
  handle: (_call, { forms }) => ({ body: { jsonPieces: formListJson(forms) } }),
};

async function* formListJson(forms: FormStore): AsyncGenerator<string> {
  let separator = '[';
  for await (const page of forms.list()) {
    yield separator + page.map(withTags).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** Adds the member `tags`, which clients expect only in the list (wire 4.1). */
function withTags(json: string): string {
  return `${json.slice(0, -1)},"tags":[]}`;
}

const formOrNullSchema = { title: 'Form, or null', oneOf: [formSchema, { type: 'null' }] } as const;

/** Finds a form by its id or its name; returns `null` if it does not exist (specification 4.4, wire 4.4). */
export const getFormById: Operation<JsonFormsDeps> = {
  id: 'getFormById',
  summary: 'Get a JSON form by its id or its name.',
  description: 'Returns a form by its id or its name, or `null` if there is no such form.',
  method: 'GET',
  path: '/forms/:id',
  roles: ['admin'],
  reply: formOrNullSchema,
  async handle({ params }, { forms }) {
    const found = await forms.find(params['id'] ?? '');
    return { body: found ? { rawJson: Buffer.from(found.json) } : null };
  },
};

const formHistorySchema = {
  title: 'Previous states of a form',
  type: 'array',
  items: {
    type: 'object',
    required: ['revision', 'form'],
    properties: {
      revision: { type: 'integer', description: 'Number of the state, from 1' },
      form: formSchema,
    },
  },
} as const;

/** Returns the previous states of a form, newest first, limited by `forms.maxVersions`. */
export const getFormHistory: Operation<JsonFormsDeps> = {
  id: 'getFormHistory',
  summary: 'List the previous states of a JSON form.',
  description:
    'Returns the previous states of a form, newest first. `forms.maxVersions` limits their number.',
  problems: ['form_not_found'],
  method: 'GET',
  path: '/forms/:id/history',
  roles: ['admin'],
  reply: formHistorySchema,
  async handle({ params }, { forms }) {
    const key = params['id'] ?? '';
    const versions = await forms.versions(key);
    if (!versions) throw new Problem('form_not_found', `There is no form "${key}".`);
    const entries = versions.map(({ revision, json }) => `{"revision":${revision},"form":${json}}`);
    return { body: { rawJson: Buffer.from(`[${entries.join(',')}]`) } };
  },
};

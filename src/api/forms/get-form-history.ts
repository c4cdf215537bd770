import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonFormsDeps } from './deps.js';
import { formSchema } from './form-schema.js';

const replySchema = {
  title: 'Former states of a form',
  type: 'array',
  items: {
    type: 'object',
    required: ['revision', 'form'],
    properties: { revision: { type: 'integer', description: 'Counts the states, from 1' }, form: formSchema },
  },
} as const;

/** Returns the previous states of a form, newest first, limited by `forms.maxVersions`. */
export const getFormHistory: Operation<JsonFormsDeps> = {
  id: 'getFormHistory',
  summary: 'List the previous states of a JSON form.',
  method: 'GET',
  path: '/forms/:id/history',
  roles: ['admin'],
  reply: replySchema,
  async handle({ params }, { forms }) {
    const key = params['id'] ?? '';
    const versions = await forms.versions(key);
    if (!versions) throw new Problem('form_not_found', `There is no form "${key}".`);
    const entries = versions.map(({ revision, json }) => `{"revision":${revision},"form":${json}}`);
    return { body: { rawJson: Buffer.from(`[${entries.join(',')}]`) } };
  },
};

import type { Operation } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { partialSchema } from '../../form-model/partial-schema.js';
import {
  choiceParameterOf,
  numberParameterOf,
  parameterError,
  parameterOf,
  queryProblem,
} from '../../http/query-parameters.js';
import { withEmptyMembers } from '../../json/json-members.js';
import type { JsonFormsDeps, LargeForm } from './deps.js';
import { formSchema } from './form-schema.js';
import type { FormStore, FormVersion } from './form-store.js';
import {
  FIRST_CHARACTERS,
  SUBTREES_HEADERS,
  subtreesQuerySchema,
  subtreesReply,
  subtreesReplySchema,
} from './subtrees-reply.js';

const FORM_PARTS = ['whole', 'partial'] as const;

const formOrNullSchema = { title: 'Form, or null', oneOf: [formSchema, { type: 'null' }] } as const;

export const getFormById: Operation<JsonFormsDeps> = {
  id: 'getFormById',
  summary: 'Get a JSON form by its id or its name.',
  description: 'Returns a form by its id or its name, or `null` if there is no such form.',
  method: 'GET',
  path: '/forms/:id',
  roles: READERS,
  query: {
    type: 'object',
    properties: {
      schema: {
        enum: FORM_PARTS,
        description:
          'partial: of a form of more than 500,000 characters whose schema was converted from YANG, the first objects of the schema; getFormSubtrees returns the rest. Default whole',
      },
    },
  },
  reply: formOrNullSchema,
  async handle({ params, query }, { forms, largeForms }) {
    const key = params['id'] ?? '';
    const isPartial = choiceParameterOf(query, 'schema', FORM_PARTS) === 'partial';
    const found = await (isPartial ? largeForms : forms).find(key);
    if (!found) return { body: null };
    return { body: 'index' in found ? partialForm(found) : { rawJson: Buffer.from(found.json) } };
  },
};

function partialForm({ form, bytes, index }: LargeForm): object {
  const { id, name, description, struct, ...others } = form;
  const { schema, uiSchema } = partialSchema(index, [], FIRST_CHARACTERS);
  return { id, name, description, struct, schema, uiSchema, ...others, partial: true, bytes };
}

export const getFormSubtrees: Operation<JsonFormsDeps> = {
  id: 'getFormSubtrees',
  summary: 'Get parts of the schema of a JSON form that is shown in part.',
  description:
    'Returns the object of the schema at a pointer, with the nearest objects below it, or the objects that match a search: about 100,000 characters. For the designer, which loads a large schema in parts.',
  problems: ['form_not_found'],
  method: 'GET',
  path: '/forms/:id/subtrees',
  roles: READERS,
  query: subtreesQuerySchema,
  reply: subtreesReplySchema,
  replyHeaders: SUBTREES_HEADERS,
  conditional: true,
  async handle(call, { largeForms }) {
    const key = call.params['id'] ?? '';
    const found = await largeForms.find(key);
    if (!found) throw formNotFound(key);
    if ('index' in found) return subtreesReply(call, found.index);
    throw queryProblem([parameterError('pointer', 'needs a form whose schema is shown in part')]);
  },
};

const HISTORY_PARTS = ['whole', 'none'] as const;

const formHistorySchema = {
  title: 'Previous states of a form',
  type: 'array',
  items: {
    type: 'object',
    required: ['revision', 'form'],
    properties: {
      revision: { type: 'integer', description: 'Number of the state, from 1' },
      bytes: {
        type: 'integer',
        description: 'Size of the whole form in bytes; only with the query schema=none',
      },
      form: formSchema,
    },
  },
} as const;

export const getFormHistory: Operation<JsonFormsDeps> = {
  id: 'getFormHistory',
  summary: 'List the previous states of a JSON form.',
  description:
    'Returns the previous states of a form, newest first. `forms.maxVersions` limits their number.',
  problems: ['form_not_found'],
  method: 'GET',
  path: '/forms/:id/history',
  roles: READERS,
  query: {
    type: 'object',
    properties: {
      schema: {
        enum: HISTORY_PARTS,
        description: 'none: schema and uiSchema are empty objects. Default whole',
      },
      revision: {
        type: 'integer',
        minimum: 1,
        description: 'Number of the only state to return; default all',
      },
    },
  },
  reply: formHistorySchema,
  async handle({ params, query }, { forms }) {
    const key = params['id'] ?? '';
    const isHead = choiceParameterOf(query, 'schema', HISTORY_PARTS) === 'none';
    const wanted = parameterOf(query, 'revision') === undefined ? undefined : revisionOf(query);
    if (!isHead && wanted === undefined) {
      const versions = await forms.versions(key);
      if (!versions) throw formNotFound(key);
      return { body: { rawJson: listOf(versions.map(versionJson)) } };
    }
    const entries: string[] = [];
    // One after another: all states of a large form together may not fit into memory.
    for await (const version of versionsOf(key, wanted, forms))
      entries.push(isHead ? headJson(version) : versionJson(version));
    return { body: { rawJson: listOf(entries) } };
  },
};

function revisionOf(query: URLSearchParams): number {
  return numberParameterOf(query, { name: 'revision', preset: 1, min: 1, max: Number.MAX_SAFE_INTEGER });
}

async function* versionsOf(
  key: string,
  wanted: number | undefined,
  forms: FormStore,
): AsyncGenerator<FormVersion> {
  const revisions = await forms.revisions(key);
  if (!revisions) throw formNotFound(key);
  const { id, earlier } = revisions;
  for (const revision of wanted === undefined ? earlier : earlier.filter((one) => one === wanted)) {
    const version = await forms.version(id, revision);
    if (version) yield version;
  }
}

function versionJson({ revision, json }: FormVersion): string {
  return `{"revision":${revision},"form":${json}}`;
}

const LARGE_MEMBERS: ReadonlySet<string> = new Set(['schema', 'uiSchema']);

function headJson({ revision, json }: FormVersion): string {
  const form = withEmptyMembers(json, LARGE_MEMBERS);
  return `{"revision":${revision},"bytes":${Buffer.byteLength(json)},"form":${form}}`;
}

function listOf(entries: readonly string[]): Buffer {
  return Buffer.from(`[${entries.join(',')}]`);
}

function formNotFound(key: string): Problem {
  return new Problem('form_not_found', `There is no form "${key}".`);
}

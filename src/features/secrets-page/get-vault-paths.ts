import { ADAPTER_ID_PATTERN } from '../../core/adapter-names.js';
import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { JsonSchema } from '../../core/schema.js';
import { numberParameterOf, parameterError, parameterOf, queryProblem } from '../../http/query-parameters.js';
import type { ConsoleDeps } from '../console/deps.js';
import { numberParameterSchema } from '../lib/observed-schemas.js';
import { count, listOf, objectOf, text, textOrNull } from '../lib/reply-schemas.js';
import type { VaultBrowse } from './vault-browse-view.js';

const limit = { name: 'limit', preset: 200, min: 1, max: 1_000 } as const;
const skip = { name: 'skip', preset: 0, min: 0, max: 1_000_000 } as const;

/** Maximum length of a path, like that of a reference. */
const MAX_PATH_LENGTH = 1_024;
const MAX_SEARCH_LENGTH = 256;

const faultSchema: JsonSchema = {
  ...objectOf({ cause: text, fix: { ...text, description: 'What to do next' } }),
  type: ['object', 'null'],
  description: 'Why Vault gave no names; null if it gave them',
};

const entriesSchema = {
  ...objectOf({
    results: listOf({
      name: text,
      path: { ...text, description: 'Path below the mount, as a reference contains it' },
      isFolder: { type: 'boolean' },
      isSecret: { type: 'boolean', description: 'A name may be a folder and a secret' },
    }),
    total: { ...count, description: 'Number of all names that match' },
    fault: faultSchema,
  }),
  description: 'Names below the path, in their order; empty if there are none',
} as const;

const secretSchema = {
  ...objectOf({
    exists: { type: 'boolean' },
    fields: listOf({
      name: text,
      reference: text,
      refusal: { ...textOrNull, description: 'Why the adapter must not use the field; null if it may' },
    }),
    total: { ...count, description: 'Number of all fields; at most 500 are listed' },
    fault: faultSchema,
  }),
  description: 'The secret at the path itself: names of its fields, never their values',
} as const;

/** Lists what Vault has at a path of the secrets of an adapter, without values. */
export const getVaultPaths: Operation<ConsoleDeps> = {
  id: 'getVaultPaths',
  summary: 'List the secrets and folders at a path of Vault, and the names of their fields.',
  description:
    'Returns names, never values. The path must be at or below `vault.adapterScope` of the adapter. ' +
    'Vault itself has no pages: each page lists the folder again. A folder needs the capability `list`, and the fields of a secret need `read`.',
  method: 'GET',
  path: '/vault/paths',
  roles: ['admin'],
  query: {
    type: 'object',
    properties: {
      adapter: {
        type: 'string',
        pattern: ADAPTER_ID_PATTERN,
        description: 'Name of the adapter, registered or not yet, that is to use a reference',
      },
      path: {
        type: 'string',
        maxLength: MAX_PATH_LENGTH,
        description:
          'Path below the mount as in a reference, with percent-encoded segments; absent: the path in `vault.adapterScope`',
      },
      contains: {
        type: 'string',
        maxLength: MAX_SEARCH_LENGTH,
        description: 'Only names that contain this text, in any letter case',
      },
      limit: { ...numberParameterSchema(limit), description: 'Maximum number of names' },
      skip: { ...numberParameterSchema(skip), description: 'Number of names before the page' },
    },
    required: ['adapter'],
  },
  reply: {
    title: 'Names in Vault',
    ...objectOf({
      path: { ...text, description: 'The listed path; empty for the mount itself' },
      parent: { ...textOrNull, description: 'Path of the folder above; null at the top of the scope' },
      entries: entriesSchema,
      secret: secretSchema,
    }),
  },
  audited: true,
  target: ({ query }) => `${query.get('adapter') ?? ''} ${query.get('path') ?? ''}`.trim(),
  async handle({ query }, { monitoring }) {
    const folder = await monitoring.browseVault({
      adapter: query.get('adapter') ?? '',
      path: shortText(query, 'path', MAX_PATH_LENGTH),
      contains: shortText(query, 'contains', MAX_SEARCH_LENGTH) ?? '',
      skip: numberParameterOf(query, skip),
      limit: numberParameterOf(query, limit),
    });
    if ('refused' in folder) throw refusalOf(folder);
    const isFailed = folder.entries.fault !== null || folder.secret.fault !== null;
    return { body: folder, outcome: isFailed ? 'not listed' : 'ok' };
  },
};

function shortText(query: URLSearchParams, name: string, maxLength: number): string | undefined {
  const value = parameterOf(query, name);
  if (value === undefined || value.length <= maxLength) return value;
  throw queryProblem([parameterError(name, `must have at most ${maxLength} characters`)]);
}

function refusalOf({ refused, member, fix }: Extract<VaultBrowse, { readonly refused: string }>): Problem {
  const { extras, message } = queryProblem([parameterError(member, refused)]);
  return new Problem('invalid_request', message, { ...extras, ...(fix !== undefined && { advice: fix }) });
}

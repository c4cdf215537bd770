import { writtenDocument } from '../../core/adapter-document.js';
import type { Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { rollbackSchema, changeNote, requirePermanent } from '../lib/change-terms.js';
import { historyOperations, type RecordHistory, requireVersion } from '../lib/history-operations.js';
import { doneSchema } from '../lib/management-schemas.js';
import { IF_MATCH, REVISION } from '../lib/revision-tag.js';
import { adapterSchema, writtenAdapterSchema } from './adapter-document.js';
import { storeNewAdapter, storeUpdate } from './change-adapters.js';
import type { AdaptersDeps } from './deps.js';

/** History of the registered adapters. The versions of an adapter in a file are those of the file. */
const adapterRecords: RecordHistory<AdaptersDeps> = {
  noun: 'Adapter',
  kind: 'adapter',
  parameter: 'name',
  commits: ['adapter'],
  notFound: 'adapter_not_found',
  problems: ['adapter_not_found', 'adapter_in_file'],
  records: (deps) => deps.adapterRecords,
  requireHistory({ adapters }, name) {
    const file = adapters.find(name)?.file;
    if (file !== undefined)
      throw new Problem(
        'adapter_in_file',
        `the file ${file} defines the adapter "${name}"; its history is that of the file`,
      );
  },
  shown: ({ adapters }, name, document) => writtenDocument(adapters.storedDocument(name, document)),
  documentSchema: writtenAdapterSchema,
};

const bodySchema = rollbackSchema('Rollback');

const rollbackAdapter: Operation<AdaptersDeps, FromSchema<typeof bodySchema>> = {
  id: 'rollbackAdapter',
  summary: 'Restore an earlier version of a registered adapter.',
  description:
    'Stores the document of an earlier version as a new version and restarts the adapter, as an update does. Creates a deleted adapter again.',
  problems: [
    'adapter_not_found',
    'adapter_in_file',
    'version_not_found',
    'confirmation_pending',
    'precondition_failed',
    'adapter_unavailable',
    'vault_refused',
    'vault_unavailable',
    'not_taken_up',
  ],
  requestHeaders: IF_MATCH,
  method: 'POST',
  path: '/:name/rollback',
  roles: ['admin'],
  body: bodySchema,
  reply: doneSchema('Restored adapter', adapterSchema),
  replyHeaders: REVISION,
  audited: true,
  handle: (call, deps) =>
    deps.runInTurn(call, async () => {
      const { name = '' } = call.params;
      const { revision, ...terms } = call.body;
      const version = await requireVersion(adapterRecords, deps, { name, revision });
      const document = deps.adapters.storedDocument(name, version.document);
      const note = {
        ...changeNote(call, terms, deps.now()),
        ...({ action: 'rolled-back', restores: revision } as const),
      };
      if (deps.adapters.find(name)) return storeUpdate(call, { name, next: () => document, note }, deps);
      requirePermanent(note, `the adapter "${name}" is deleted`);
      return storeNewAdapter({ requested: document, note }, deps);
    }),
};

export const adapterHistoryOperations: readonly Operation<AdaptersDeps, never>[] = [
  ...historyOperations(adapterRecords),
  rollbackAdapter,
];

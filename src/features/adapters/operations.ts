import { maySeeAdapter } from '../../core/access-decision.js';
import { writtenDocument } from '../../core/adapter-document.js';
import type { Application, Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { changeNote, rollbackSchema, requirePermanent } from '../lib/change-terms.js';
import { historyOperations, type RecordHistory, requireVersion } from '../lib/history-operations.js';
import { doneSchema } from '../lib/management-schemas.js';
import { IF_MATCH, REVISION } from '../lib/revision-tag.js';
import { adapterSchema, writtenAdapterSchema } from './adapter-document.js';
import { callAdapterMethod, getAdapterMethods } from './adapter-methods.js';
import {
  createAdapter,
  deleteAdapter,
  importAdapter,
  updateAdapter,
  updateAdapterProperties,
  storeNewAdapter,
  storeUpdate,
} from './change-adapters.js';
import { testAdapterConnection, testSavedAdapterConnection } from './connection-test.js';
import type { AdaptersDeps } from './deps.js';
import { exportAdapter, getAdapter, getAdapters, getBrokerMap } from './get-adapters.js';
import { changelogOperation } from './get-changelogs.js';
import { lifecycleOperations, type Lifecycle } from './lifecycle.js';
import { logLevelOperation } from './log-levels.js';
import { requireAdapter, statusNoteOf } from './require-adapter.js';
import { suspensionOperations } from './suspensions.js';

/** History of the registered adapters. The versions of an adapter in a file are those of the file. */
const adapterRecords: RecordHistory<AdaptersDeps> = {
  noun: 'Adapter',
  kind: 'adapter',
  parameter: 'name',
  commits: ['adapter'],
  notFound: 'adapter_not_found',
  problems: ['adapter_not_found', 'adapter_in_file'],
  records: (deps) => deps.adapterRecords,
  isVisible: ({ policies }, name, principal) => maySeeAdapter(policies().get(name), principal),
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
  through: ['adapters.updateAdapter', 'adapters.createAdapter'],
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

const adapterHistoryOperations: readonly Operation<AdaptersDeps, never>[] = [
  ...historyOperations(adapterRecords),
  rollbackAdapter,
];

/** Lifecycle of all adapters, both those from files and registered adapters. */
const adapterLifecycle: Lifecycle<AdaptersDeps> = {
  kind: 'adapter',
  noun: 'Adapter',
  problems: ['adapter_not_found', 'adapter_in_file', 'not_taken_up'],
  find: ({ adapters }, name) => requireAdapter(adapters, name),
  noteOf: ({ adapters }, name) => statusNoteOf(adapters, name),
  requireStartable({ adapters }, name) {
    const { document, file } = requireAdapter(adapters, name);
    if (document.properties.properties['enabled'] !== false) return;
    const source = file === undefined ? 'its properties' : `the file ${file}`;
    throw new Problem('adapter_in_file', `"enabled: false" in ${source} keeps the adapter "${name}" stopped`);
  },
};

const deleteAdapterCache: Operation<AdaptersDeps> = {
  id: 'deleteAdapterCache',
  summary: 'Remove all replies from the read cache of an adapter.',
  description:
    'Removes all replies from the read cache of an adapter, in all processes and nodes, for example after a change that was made past gatehouse. Its connections and running calls stay. Does nothing for an adapter without a cache.',
  problems: ['adapter_not_found'],
  method: 'DELETE',
  path: '/:name/cache',
  roles: ['admin'],
  reply: doneSchema('Emptied cache'),
  audited: true,
  async handle(call, { adapters, forgetReplies }) {
    const { name } = requireAdapter(adapters, call.params['name']).document;
    await forgetReplies(name);
    return { body: { status: 'OK', message: `Successfully emptied the cache of ${name}.` } };
  },
};

export const adapters: Application<AdaptersDeps> = {
  name: 'adapters',
  summary: 'Register, change, start and stop adapters.',
  prefixes: ['/adapters'],
  operations: [
    ...[getAdapters, createAdapter, importAdapter, getBrokerMap],
    ...[getAdapter, exportAdapter, updateAdapter, updateAdapterProperties, deleteAdapter],
    ...[logLevelOperation(adapterLifecycle), changelogOperation(adapterLifecycle)],
    ...lifecycleOperations(adapterLifecycle),
    ...suspensionOperations(adapterLifecycle),
    deleteAdapterCache,
    ...[testAdapterConnection, testSavedAdapterConnection],
    ...adapterHistoryOperations,
    ...[getAdapterMethods, callAdapterMethod],
  ],
};

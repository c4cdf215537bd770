import { writtenDocument } from '../../core/adapter-document.js';
import type { Application, Operation } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import type { FromSchema } from '../../settings/from-schema.js';
import { changeNote, commentMember, rollbackSchema, requirePermanent } from '../lib/change-terms.js';
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
import {
  lifecycleOperations,
  changeOverrides,
  type Lifecycle,
  setDesiredState,
  stateRequest,
} from './lifecycle.js';
import { logLevelOperation } from './log-levels.js';
import { requireAdapter, statusNoteOf } from './require-adapter.js';

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

/** Maximum duration of a suspension with an end, in seconds: 30 days. */
const MAX_SUSPENSION_SECONDS = 30 * 86_400;

/** Request body of a suspension; an absent body is `pause`. */
const suspensionSchema = {
  title: 'Suspension',
  type: 'object',
  additionalProperties: false,
  properties: {
    mode: {
      enum: ['pause', 'error'],
      description:
        'pause, the default: calls wait as long as the queue of the adapter allows; error: calls fail with status 503',
    },
    seconds: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MAX_SUSPENSION_SECONDS,
      description: 'Time until the adapter resumes by itself; absent: until it is started',
    },
    ...commentMember,
  },
} as const;

const suspendAdapter: Operation<AdaptersDeps, FromSchema<typeof suspensionSchema> | undefined> = {
  id: 'suspendAdapter',
  summary: 'Suspend the calls to an adapter, which stays connected; starting the adapter resumes them.',
  description:
    'Lets the calls to an adapter wait, or refuses them, while the adapter stays connected. `startAdapter` ends the suspension; with `seconds`, it ends by itself, also after a restart of the server.',
  problems: ['adapter_not_found', 'not_taken_up'],
  method: 'PUT',
  path: '/:name/suspend',
  roles: ['admin'],
  body: suspensionSchema,
  bodyOptional: true,
  reply: doneSchema('Suspended adapter'),
  audited: true,
  async handle(call, deps) {
    const { name = '' } = call.params;
    const { mode, seconds, ...terms } = call.body ?? {};
    const wanted = mode === 'error' ? 'refusing' : 'paused';
    const note = changeNote(call, terms, deps.now());
    const until = seconds ? Math.floor(deps.now()) + seconds * 1000 : undefined;
    const change = await changeOverrides(
      {
        lifecycle: adapterLifecycle,
        name,
        next: (overrides) => setDesiredState(overrides, wanted, stateRequest(note, until)),
        act: () => ({ entry: { action: wanted === 'paused' ? 'paused' : 'blocked', until }, note }),
      },
      deps,
    );
    const effect = wanted === 'paused' ? 'its calls wait' : 'its calls are refused';
    const end = until === undefined ? '' : ` until ${new Date(until).toISOString()}`;
    return { body: { status: 'OK', message: `Successfully suspended ${name}: ${effect}${end}.` }, change };
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
    ...[suspendAdapter, deleteAdapterCache],
    ...[testAdapterConnection, testSavedAdapterConnection],
    ...adapterHistoryOperations,
    ...[getAdapterMethods, callAdapterMethod],
  ],
};

import type { AdapterDocument } from '../../core/adapter-document.js';
import type { Operation, Reply } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { REVISION, revisionTag } from '../../core/revision-tag.js';
import { doneSchema } from '../../core/management-reply.js';
import { type AdapterBody, documentFrom } from './adapter-document.js';
import { adapterSchema, newAdapterSchema } from './adapter-schema.js';
import type { AdaptersDeps } from './deps.js';
import { butOf, foundAdapter } from './require-adapter.js';
import { levelsFrom } from './log-levels.js';
import { applyRecords } from './apply-records.js';

/** Registers an adapter and starts it immediately (wire section 5.2). */
export const createAdapter: Operation<AdaptersDeps, AdapterBody> = {
  id: 'createAdapter',
  summary: 'Create an adapter and start it.',
  method: 'POST',
  path: '',
  roles: ['admin'],
  body: newAdapterSchema,
  reply: doneSchema('Created adapter', adapterSchema),
  replyHeaders: REVISION,
  audited: true,
  target: ({ body }) => body.properties.name ?? '',
  handle(call, deps) {
    const asked = documentFrom(call.body.properties);
    return deps.runInTurn(call, () => create(asked, deps));
  },
};

async function create(asked: AdapterDocument, deps: AdaptersDeps): Promise<Reply> {
  const { adapters, adapterRecords, newRecordId } = deps;
  const { name } = asked;
  // Checks the database too: `admit` may overwrite the secrets of an adapter that is not live yet.
  if (adapters.find(name) || (await adapterRecords.find(name))) throw taken(name);
  const document = await adapters.admit(asked);
  const record = await adapterRecords.create({ name, id: newRecordId(), document: { ...document } });
  if (!record) throw taken(name);
  const levels = levelsFrom(document.loggerProps);
  // Resets overrides of an earlier adapter of a file with this name, which may have been stopped.
  await deps.overrides({ kind: 'adapter', name }, (overrides) => ({
    ...overrides,
    wanted: 'running',
    levels,
  }));
  await applyRecords(deps);
  const message = `Successfully created ${name}.${butOf(adapters, name)}`;
  return {
    body: { status: 'Created', message, data: foundAdapter(adapters, name).document },
    headers: revisionTag(record),
    change: { after: document },
  };
}

/** Registers an adapter that was exported from another server. */
export const importAdapter: Operation<AdaptersDeps, AdapterBody> = {
  ...createAdapter,
  id: 'importAdapter',
  summary: 'Import an adapter and start it.',
  path: '/import',
};

function taken(name: string): Problem {
  return new Problem('name_taken', `${name} already exists!`);
}

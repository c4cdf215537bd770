import type { AdapterDocument } from '../../core/adapter-document.js';
import { managementBody } from '../../core/management-body.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { withSentLevels } from '../../core/temporary-levels.js';
import { doneSchema } from '../../core/management-reply.js';
import { REVISION, changedRecord, revisionTag, seenRevision, staleRecord } from '../../core/revision-tag.js';
import { type AdapterBody, documentFrom, type SentAdapter } from './adapter-document.js';
import { adapterSchema, changedAdapterSchema } from './adapter-schema.js';
import type { AdaptersDeps } from './deps.js';
import { absentAdapter, butOf, foundAdapter, registeredAdapter } from './require-adapter.js';
import { levelsFrom } from './log-levels.js';
import { applyRecords } from './apply-records.js';

/** Updates and restarts a registered adapter; supports `If-Match` (wire section 5.2). */
export const updateAdapter: Operation<AdaptersDeps, AdapterBody> = {
  id: 'updateAdapter',
  summary: 'Update a registered adapter; absent members stay unchanged.',
  method: 'PUT',
  path: '/:name',
  roles: ['admin'],
  body: changedAdapterSchema,
  reply: doneSchema('Updated adapter', adapterSchema),
  replyHeaders: REVISION,
  audited: true,
  handle: (call, deps) => deps.runInTurn(call, () => change(call, call.body.properties, deps)),
};

/** Request body with only the settings of an adapter. */
interface SettingsBody {
  readonly properties: AdapterDocument['properties']['properties'];
}

/** Replaces the settings of a registered adapter. */
export const updateAdapterProperties: Operation<AdaptersDeps, SettingsBody> = {
  ...updateAdapter,
  id: 'updateAdapterProperties',
  summary: 'Replace the settings of a registered adapter.',
  path: '/:name/properties',
  body: managementBody('Settings of an adapter', { type: 'object' }),
  handle: (call, deps) =>
    deps.runInTurn(call, () => change(call, { properties: { properties: call.body.properties } }, deps)),
};

async function change(
  call: Pick<Call, 'params' | 'header'>,
  sent: SentAdapter,
  deps: AdaptersDeps,
): Promise<Reply> {
  const { adapters, adapterRecords } = deps;
  const view = registeredAdapter(adapters, call.params['name']);
  const { name } = view.document;
  const revision = seenRevision(call) ?? view.revision;
  // Checks the database too: `admit` may overwrite secrets that are in use.
  const kept = changedRecord((await adapterRecords.find(name)) ?? 'absent', () => absentAdapter(name));
  if (revision !== view.revision || revision !== kept.revision) throw staleRecord();
  const document = await adapters.admit(documentFrom(sent, view.document));
  // The admitted document is based on this revision. A concurrent change is reported, not overwritten.
  const updated = await adapterRecords.update({ name, revision }, () => ({ ...document }));
  const record = changedRecord(updated, () => absentAdapter(name));
  const levels = levelsFrom(sent.loggerProps ?? {});
  if (Object.keys(levels).length > 0)
    await deps.overrides({ kind: 'adapter', name }, (overrides) => withSentLevels(overrides, levels));
  await applyRecords(deps);
  const message = `Successfully updated ${name}.${butOf(adapters, name)}`;
  return {
    body: { status: 'OK', message, data: foundAdapter(adapters, name).document },
    headers: revisionTag(record),
    change: { before: view.document, after: document },
  };
}

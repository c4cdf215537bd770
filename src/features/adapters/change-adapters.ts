import type { AdapterDocument } from '../../core/adapter-document.js';
import { adapterNotFound } from '../../core/adapter-names.js';
import { type ComponentOverrides, NO_OVERRIDES } from '../../core/component.js';
import { withSentLevels } from '../../core/log-levels.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { type ChangeNote, requireAuthor, versionOutcome } from '../../core/record-history.js';
import type { FromSchema } from '../../settings/from-schema.js';
import {
  changeMembers,
  changeNote,
  type ChangeTerms,
  changeTermsOf,
  commentQuery,
  confirmedNote,
} from '../lib/change-terms.js';
import { doneSchema, managementBody } from '../lib/management-schemas.js';
import {
  changedRecord,
  REVISION,
  IF_MATCH,
  revisionTag,
  seenRevision,
  staleRecord,
} from '../lib/revision-tag.js';
import {
  type AdapterBody,
  adapterSchema,
  adapterSettingsSchema,
  changedAdapterSchema,
  documentFrom,
  newAdapterSchema,
  type SentAdapter,
} from './adapter-document.js';
import type { AdaptersDeps } from './deps.js';
import { applyRecords } from './lifecycle.js';
import { levelsFrom } from './log-levels.js';
import { requireAdapter, requireRegisteredAdapter, statusNoteOf, shownDocument } from './require-adapter.js';

export const createAdapter: Operation<AdaptersDeps, AdapterBody> = {
  id: 'createAdapter',
  summary: 'Create an adapter and start it.',
  description:
    'Stores an adapter in the database and starts it. Its plugin must accept the settings; secrets must be references, or are written to Vault if that is configured.',
  problems: ['name_taken', 'adapter_unavailable', 'vault_refused', 'vault_unavailable', 'not_taken_up'],
  method: 'POST',
  path: '',
  roles: ['admin'],
  body: newAdapterSchema,
  reply: doneSchema('Created adapter', adapterSchema),
  replyHeaders: REVISION,
  messageErrors: ['name_taken'],
  audited: true,
  target: ({ body }) => body.properties.name ?? '',
  handle(call, deps) {
    const requested = documentFrom(call.body.properties);
    const note = changeNote(call, call.body, deps.now());
    return deps.runInTurn(call, () => storeNewAdapter({ requested, note }, deps));
  },
};

export const importAdapter: Operation<AdaptersDeps, AdapterBody> = {
  ...createAdapter,
  id: 'importAdapter',
  summary: 'Import an adapter and start it.',
  description:
    'Stores an adapter that `exportAdapter` returned, and starts it. Needs the same as the creation of an adapter.',
  path: '/import',
};

interface NewAdapter {
  readonly requested: AdapterDocument;
  readonly note: ChangeNote;
}

/** Stores and starts a new adapter. Callers must serialize calls. */
export async function storeNewAdapter({ requested, note }: NewAdapter, deps: AdaptersDeps): Promise<Reply> {
  const { adapters, adapterRecords, newRecordId } = deps;
  const { name } = requested;
  // Checks the database too: `admit` may overwrite the secrets of a stored adapter that is not running yet.
  if (adapters.find(name) || (await adapterRecords.find(name))) throw nameTaken(name);
  const document = await adapters.admit(requested);
  const record = await adapterRecords.create({ name, id: newRecordId(), document: { ...document } }, note);
  if (!record) throw nameTaken(name);
  const levels = levelsFrom(document.loggerProps);
  // An earlier adapter from a file may have had this name. Its overrides, for example "stopped", are reset.
  await deps.overrides({ kind: 'adapter', name }, (overrides) => ({
    ...NO_OVERRIDES,
    restarts: overrides.restarts,
    levels,
  }));
  await applyRecords(deps);
  const message = `Successfully created ${name}.${statusNoteOf(adapters, name)}`;
  return {
    body: { status: 'Created', message, data: shownDocument(requireAdapter(adapters, name)) },
    headers: revisionTag(record),
    outcome: versionOutcome({ kind: 'adapter', name, revision: record.revision }),
    change: { after: document },
  };
}

function nameTaken(name: string): Problem {
  return new Problem('name_taken', `${name} already exists!`);
}

export const updateAdapter: Operation<AdaptersDeps, AdapterBody> = {
  id: 'updateAdapter',
  summary: 'Update a registered adapter; absent members stay unchanged.',
  description:
    'Stores the sent members of a registered adapter and restarts it after its running calls. An adapter from a file cannot change here.',
  problems: [
    'adapter_not_found',
    'adapter_in_file',
    'confirmation_pending',
    'precondition_failed',
    'adapter_unavailable',
    'vault_refused',
    'vault_unavailable',
    'not_taken_up',
  ],
  requestHeaders: IF_MATCH,
  method: 'PUT',
  path: '/:name',
  roles: ['admin'],
  body: changedAdapterSchema,
  reply: doneSchema('Updated adapter', adapterSchema),
  replyHeaders: REVISION,
  audited: true,
  handle: (call, deps) =>
    deps.runInTurn(call, () => update(call, { sent: call.body.properties, terms: call.body }, deps)),
};

/** Request body with only the settings of an adapter. */
const settingsBodySchema = managementBody('Settings of an adapter', adapterSettingsSchema, changeMembers);

export const updateAdapterProperties: Operation<AdaptersDeps, FromSchema<typeof settingsBodySchema>> = {
  ...updateAdapter,
  id: 'updateAdapterProperties',
  summary: 'Replace the settings of a registered adapter.',
  description: 'Replaces all settings of a registered adapter and restarts it after its running calls.',
  path: '/:name/properties',
  body: settingsBodySchema,
  handle: (call, deps) =>
    deps.runInTurn(call, () =>
      update(call, { sent: { properties: { properties: call.body.properties } }, terms: call.body }, deps),
    ),
};

async function update(
  call: Call,
  { sent, terms }: { readonly sent: SentAdapter; readonly terms: ChangeTerms },
  deps: AdaptersDeps,
): Promise<Reply> {
  const { name = '' } = call.params;
  const note = changeNote(call, terms, deps.now());
  const next = (previous: AdapterDocument): AdapterDocument => documentFrom(sent, previous);
  return storeUpdate(call, { name, next, note, levels: levelsFrom(sent.loggerProps ?? {}) }, deps);
}

interface AdapterUpdate {
  readonly name: string;
  readonly next: (previous: AdapterDocument) => AdapterDocument;
  readonly note: ChangeNote;
  /** Log levels that the caller sent. */
  readonly levels?: ComponentOverrides['levels'];
}

/** Stores the next document of an adapter and restarts the adapter. Callers must serialize calls. */
export async function storeUpdate(
  call: Call,
  { next, note, levels = {}, ...update }: AdapterUpdate,
  deps: AdaptersDeps,
): Promise<Reply> {
  const { adapters, adapterRecords, commits } = deps;
  const view = requireRegisteredAdapter(adapters, update.name);
  const { name } = view.document;
  const revision = seenRevision(call) ?? view.revision;
  // Checks the database too: `admit` may overwrite secrets that are in use.
  const stored = changedRecord((await adapterRecords.find(name)) ?? 'absent', () => adapterNotFound(name));
  if (revision !== view.revision || revision !== stored.revision) throw staleRecord();
  const pending = await commits.commit({ kind: 'adapter', name });
  if (pending) requireAuthor(pending, note);
  const document = await adapters.admit(next(view.document), {
    mayBeUndone: note.confirmBy !== undefined,
  });
  // The admitted document is based on this revision. A concurrent change is reported, not overwritten.
  const updated = await adapterRecords.update({ name, revision }, () => ({ ...document }), note);
  const record = changedRecord(updated, () => adapterNotFound(name));
  if (Object.keys(levels).length > 0)
    await deps.overrides({ kind: 'adapter', name }, (overrides) => withSentLevels(overrides, levels));
  await applyRecords(deps);
  const message = `Successfully updated ${name}.${confirmedNote(pending, note)}${statusNoteOf(adapters, name)}`;
  return {
    body: { status: 'OK', message, data: shownDocument(requireAdapter(adapters, name)) },
    headers: revisionTag(record),
    outcome: versionOutcome({ kind: 'adapter', name, revision: record.revision }),
    change: { before: view.document, after: document },
  };
}

export const deleteAdapter: Operation<AdaptersDeps> = {
  id: 'deleteAdapter',
  summary: 'Delete a registered adapter after stopping it.',
  description:
    'Stops a registered adapter after its running calls, and deletes it. An adapter from a file cannot be deleted here.',
  problems: [
    'adapter_not_found',
    'adapter_in_file',
    'confirmation_pending',
    'precondition_failed',
    'not_taken_up',
  ],
  requestHeaders: IF_MATCH,
  method: 'DELETE',
  path: '/:name',
  roles: ['admin'],
  query: commentQuery,
  reply: doneSchema('Deleted adapter'),
  audited: true,
  handle: (call, deps) =>
    deps.runInTurn(call, async () => {
      const { document } = requireRegisteredAdapter(deps.adapters, call.params['name']);
      const { name } = document;
      const note = changeNote(call, changeTermsOf(call.query), deps.now());
      const removed = await deps.adapterRecords.remove({ name, revision: seenRevision(call) }, note);
      changedRecord(removed, () => adapterNotFound(name));
      await applyRecords(deps);
      return {
        body: { status: 'OK', message: `Successfully deleted ${name}.` },
        change: { before: document },
      };
    }),
};

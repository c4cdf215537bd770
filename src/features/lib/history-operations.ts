import { type Fault, formatFault } from '../../core/fault.js';
import type { Call, Operation } from '../../core/operation.js';
import type { NamedRecord, PlatformStore, RecordStore } from '../../core/platform-state.js';
import { type Principal, READERS } from '../../core/principal.js';
import type { ProblemCode } from '../../core/problem-codes.js';
import { Problem } from '../../core/problem.js';
import {
  type CommitKind,
  type PendingCommit,
  RECORD_ACTIONS,
  type RecordVersion,
  type RecordVersionDocument,
} from '../../core/record-history.js';
import type { JsonSchema } from '../../core/schema.js';
import { listSchema, pageOf, pageQueryProperties } from '../../http/list-query.js';
import { omit } from '../../lib/omit.js';
import { changeNote, changeTermsOf, commentQuery } from './change-terms.js';
import { doneSchema } from './management-schemas.js';

export interface ApplyDeps {
  /** Applies the stored records; resolves to the faults that prevent it. */
  readonly apply: () => Promise<readonly Fault[]>;
}

/** Dependencies of the operations on changes that wait for their confirmation. */
interface HistoryDeps extends ApplyDeps {
  readonly commits: PlatformStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Properties of one kind of record that the operations on its history need. */
export interface RecordHistory<Deps> {
  /** Noun in the names of the operations, for example `Adapter`. */
  readonly noun: string;
  /** Noun in sentences. */
  readonly kind: 'adapter' | 'profile' | 'access rule' | 'limit';
  readonly parameter: 'name' | 'id';
  /** Changes of this kind of record that can wait for a confirmation. */
  readonly commits: readonly CommitKind[];
  readonly notFound: ProblemCode;
  readonly problems: readonly ProblemCode[];
  readonly records: (deps: Deps) => RecordStore;
  /** Throws a Problem if a record with this name cannot have a history. */
  readonly requireHistory: (deps: Deps, name: string) => void;
  /** Returns true if a caller with a role of the operation may see the record; absent: every such caller may. */
  readonly isVisible?: (deps: Deps, name: string, principal: Principal | undefined) => boolean;
  /** Returns a stored document as it was written, without defaults. */
  readonly shown: (deps: Deps, name: string, document: NamedRecord['document']) => object;
  readonly documentSchema: JsonSchema;
}

const timeSchema = { type: ['string', 'null'], format: 'date-time' } as const;

const authorSchema: JsonSchema = {
  type: ['object', 'null'],
  required: ['subject', 'issuer', 'name'],
  properties: {
    subject: { type: 'string' },
    issuer: { type: 'string' },
    name: { type: 'string', description: 'Name for people' },
  },
  description: 'Null if no caller made the change, or if the author is unknown',
};

const versionProperties = {
  revision: { type: 'integer', minimum: 0 },
  action: {
    enum: RECORD_ACTIONS,
    description:
      'Change that produced the version. stored: older than the history; reverted: a change was not confirmed, was canceled or could not be applied',
  },
  time: { ...timeSchema, description: 'Null if unknown' },
  author: authorSchema,
  comment: { type: ['string', 'null'], description: 'Reason that the author gave' },
  restores: {
    type: ['integer', 'null'],
    description: 'Revision whose document a rollback restored',
  },
} as const;

const VERSION_MEMBERS = Object.keys(versionProperties);

export const pendingSchema: JsonSchema = {
  title: 'Pending confirmation',
  type: 'object',
  required: ['kind', 'name', 'time', 'until', 'author', 'comment'],
  properties: {
    kind: { enum: ['adapter', 'profile', 'activation'] },
    name: { type: 'string' },
    time: { type: 'string', format: 'date-time' },
    until: { type: 'string', format: 'date-time', description: 'Time when the server undoes the change' },
    author: authorSchema,
    comment: { type: ['string', 'null'] },
  },
};

/** Returns a change that waits for its confirmation as replies show it. */
export function shownPending({ kind, name, at, until, by, comment }: PendingCommit): object {
  return { kind, name, time: isoTime(at), until: isoTime(until), author: by, comment };
}

function shownVersion({ revision, action, at, by, comment, restores }: RecordVersion): object {
  return { revision, action, time: at === null ? null : isoTime(at), author: by, comment, restores };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** Creates the operations on the history of records of a kind, without the rollback. */
export function historyOperations<Deps extends HistoryDeps>(
  history: RecordHistory<Deps>,
): readonly Operation<Deps>[] {
  return [...versionOperations(history), endOperation(history, 'confirm'), endOperation(history, 'cancel')];
}

/** Creates the operations that read the history of records of a kind. */
export function versionOperations<Deps>(history: RecordHistory<Deps>): readonly Operation<Deps>[] {
  return [removedOperation(history), versionsOperation(history), versionOperation(history)];
}

function removedOperation<Deps>(history: RecordHistory<Deps>): Operation<Deps> {
  const { noun, kind, records, isVisible = () => true } = history;
  const properties = omit(versionProperties, 'action', 'restores');
  return {
    id: `getRemoved${noun}s`,
    summary: `List the deleted ${kind}s that a rollback can create again.`,
    description: `Returns one page of the deleted ${kind}s whose versions are stored, the last deleted one first.`,
    method: 'GET',
    path: '/history/removed',
    roles: READERS,
    query: { type: 'object', properties: pageQueryProperties },
    reply: listSchema(`Deleted ${kind}s`, {
      type: 'object',
      required: ['name', ...Object.keys(properties)],
      properties: { name: { type: 'string' }, ...properties },
    }),
    async handle({ query, principal }, deps) {
      const { skip, limit } = pageOf(query);
      const all = await records(deps).removed();
      const removed = all.filter(({ name }) => isVisible(deps, name, principal));
      const results = removed.slice(skip, skip + limit).map(({ name, revision, at, by, comment }) => ({
        name,
        revision,
        comment,
        time: at === null ? null : isoTime(at),
        author: by,
      }));
      return { body: { results, total: removed.length } };
    },
  };
}

function versionsOperation<Deps>(history: RecordHistory<Deps>): Operation<Deps> {
  const { noun, kind, parameter, problems, records } = history;
  return {
    id: `get${noun}History`,
    summary: `List the versions of ${articleOf(kind)} ${kind}.`,
    description: `Returns one page of the versions of ${articleOf(kind)} ${kind}, newest first, without their documents; of a deleted ${kind} too. The store keeps the newest 100.`,
    problems,
    method: 'GET',
    path: `/:${parameter}/history`,
    roles: READERS,
    query: { type: 'object', properties: pageQueryProperties },
    reply: listSchema(`Versions of ${articleOf(kind)} ${kind}`, {
      type: 'object',
      required: VERSION_MEMBERS,
      properties: versionProperties,
    }),
    async handle({ params, query, principal }, deps) {
      const name = params[parameter] ?? '';
      const page = pageOf(query);
      if (history.isVisible?.(deps, name, principal) === false) throw noVersions(history, name);
      history.requireHistory(deps, name);
      const found = await records(deps).versions(name, page);
      if (!found) throw noVersions(history, name);
      return { body: { results: found.versions.map(shownVersion), total: found.total } };
    },
  };
}

function articleOf(kind: string): string {
  return kind.startsWith('a') ? 'an' : 'a';
}

function versionOperation<Deps>(history: RecordHistory<Deps>): Operation<Deps> {
  const { noun, kind, parameter, problems, documentSchema } = history;
  return {
    id: `get${noun}Version`,
    summary: `Get a version of ${articleOf(kind)} ${kind} with its document.`,
    description: `Returns a version with its document as it was written: without defaults, and with references in place of secrets.`,
    problems: [...problems, 'version_not_found'],
    method: 'GET',
    path: `/:${parameter}/history/:revision`,
    pathParameters: { revision: { type: 'integer', minimum: 0 } },
    roles: READERS,
    reply: {
      title: `Version of ${articleOf(kind)} ${kind}`,
      type: 'object',
      required: [...VERSION_MEMBERS, 'document'],
      properties: { ...versionProperties, document: documentSchema },
    },
    async handle({ params, principal }, deps) {
      const { [parameter]: name = '', revision } = params;
      if (history.isVisible?.(deps, name, principal) === false) throw noVersions(history, name);
      const { document, ...version } = await requireVersion(history, deps, { name, revision });
      return { body: { ...shownVersion(version), document: history.shown(deps, name, document) } };
    },
  };
}

/** Returns a version. Throws `version_not_found`, or the problem of the record. */
export async function requireVersion<Deps>(
  history: RecordHistory<Deps>,
  deps: Deps,
  { name, revision }: { readonly name: string; readonly revision: string | number | undefined },
): Promise<RecordVersionDocument> {
  history.requireHistory(deps, name);
  const number = /^\d{1,15}$/.test(String(revision)) ? Number(revision) : -1;
  const found = await history.records(deps).version(name, number);
  if (found) return found;
  throw new Problem(
    'version_not_found',
    `The ${history.kind} "${name}" has no stored version ${String(revision)}.`,
  );
}

function noVersions<Deps>({ notFound, kind }: RecordHistory<Deps>, name: string): Problem {
  return new Problem(notFound, `There is no ${kind} "${name}", and no version of one.`);
}

const ENDS = {
  confirm: {
    participle: 'confirmed',
    summary: 'Confirm a change of',
    effect: 'Makes the changes permanent that wait for their confirmation (RFC 6241 section 8.4).',
  },
  cancel: {
    participle: 'canceled',
    summary: 'Cancel an unconfirmed change of',
    effect: 'Returns at once to the state before the changes that wait for their confirmation.',
  },
} as const;

/** Creates the operation that ends the pending changes of a record: confirms or cancels all of them. */
function endOperation<Deps extends HistoryDeps>(
  { noun, kind, parameter, commits }: RecordHistory<Deps>,
  verb: keyof typeof ENDS,
): Operation<Deps> {
  const { participle, summary, effect } = ENDS[verb];
  return {
    id: `${verb}${noun}Change`,
    summary: `${summary} ${articleOf(kind)} ${kind}.`,
    description: `${effect} Every caller with the role may do so.`,
    problems: ['nothing_to_confirm', 'not_taken_up'],
    method: 'POST',
    path: `/:${parameter}/${verb}`,
    roles: ['admin'],
    query: commentQuery,
    reply: doneSchema(`${noun} change ${participle}`),
    audited: true,
    async handle(call, deps) {
      const name = call.params[parameter] ?? '';
      const change = await end(call, { deps, verb, keys: commits.map((commit) => ({ kind: commit, name })) });
      if (!change) throw new Problem('nothing_to_confirm', `No change of the ${kind} "${name}" is pending.`);
      await requireApplied(deps);
      const message = `Successfully ${participle} the change of ${name}.`;
      return { body: { status: 'OK', message }, change };
    },
  };
}

interface EndInput<Deps> {
  readonly deps: Deps;
  readonly verb: keyof typeof ENDS;
  readonly keys: readonly { readonly kind: CommitKind; readonly name: string }[];
}

/** Ends the pending changes in one step. Returns the states for the audit record; undefined if nothing was pending. */
async function end<Deps extends HistoryDeps>(
  call: Call,
  { deps: { commits, now }, verb, keys }: EndInput<Deps>,
): Promise<{ readonly before?: unknown; readonly after?: unknown } | undefined> {
  const note = changeNote(call, changeTermsOf(call.query), now());
  if (verb === 'confirm') return (await commits.confirm(keys, note)).length > 0 ? {} : undefined;
  const reverted = await commits.revert(keys, { note });
  const [first] = reverted;
  if (reverted.length <= 1) return first && { before: first.before, after: first.after };
  return { before: reverted.map(({ before }) => before), after: reverted.map(({ after }) => after) };
}

/** Applies the stored records. Throws `not_taken_up` if faults prevent that. */
export async function requireApplied({ apply }: ApplyDeps): Promise<void> {
  const faults = await apply();
  if (faults.length === 0) return;
  throw new Problem('not_taken_up', `stored, but not applied: ${faults.map(formatFault).join('; ')}`);
}

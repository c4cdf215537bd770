import type { Operation } from '../../core/operation.js';
import type { NamedRecord } from '../../core/platform-state.js';
import type { JsonSchema } from '../../core/schema.js';
import { listRow, listSchema, queryList } from '../../http/list-query.js';
import { omit } from '../../lib/omit.js';
import { ruleNameSchema } from '../../settings/limits.js';
import { changeNote, changeTermsOf, commentMember, commentQuery } from './change-terms.js';
import {
  type RecordHistory,
  requireApplied,
  requireVersion,
  versionOperations,
} from './history-operations.js';
import { doneSchema, managementBody } from './management-schemas.js';
import { objectOf, text } from './reply-schemas.js';
import { changedRecord, IF_MATCH, REVISION, revisionTag, seenRevision } from './revision-tag.js';
import {
  listedRecord,
  requireRuleName,
  requireValid,
  type RuleKindTraits,
  type RuleOperationDeps,
  ruleNotFound,
  storeRule,
} from './store-rule.js';

/** Body of a change of a rule. */
interface RuleBody {
  readonly properties: NamedRecord['document'];
  readonly comment?: string | null;
}

/** Creates the operations on the rules of one kind. */
export function ruleOperations(traits: RuleKindTraits): readonly Operation<RuleOperationDeps, never>[] {
  const reads = versionOperations(historyOf(traits)).map((row) => ({ ...row, roles: traits.readers }));
  return [
    listOperation(traits),
    getOperation(traits),
    putOperation(traits),
    previewOperation(traits),
    removeOperation(traits),
    ...reads,
    rollbackOperation(traits),
  ];
}

function historyOf({ noun, words, schema }: RuleKindTraits): RecordHistory<RuleOperationDeps> {
  return {
    noun,
    kind: words,
    parameter: 'name',
    commits: [],
    notFound: 'rule_not_found',
    problems: ['rule_not_found'],
    records: ({ records }) => records,
    requireHistory: () => undefined,
    shown: (_deps, _name, document) => document,
    documentSchema: schema,
  };
}

function listOperation(traits: RuleKindTraits): Operation<RuleOperationDeps> {
  const { words, noun, readers, schema } = traits;
  return {
    id: `get${noun}s`,
    summary: `List the ${words}s of files, of the active profile and of the API.`,
    description: `Returns one page of the ${words}s. Those of files and of the active profile have no revision, and cannot change here.`,
    method: 'GET',
    path: '',
    topics: ['adapters', 'profiles'],
    roles: readers,
    ...listRow,
    reply: listSchema(
      `List of ${words}s`,
      objectOf({
        name: text,
        origin: {
          type: 'object',
          required: ['kind'],
          properties: {
            kind: { enum: ['record', 'file', 'profile'] },
            file: text,
            line: { type: 'integer', minimum: 0 },
            profile: text,
          },
        },
        revision: { type: ['integer', 'null'], description: 'Revision, for If-Match: `"12"`' },
        fault: { type: ['string', 'null'], description: 'Why a stored rule is not in effect' },
        rule: schema,
      }),
    ),
    async handle({ query }, deps) {
      const configured = deps.configured();
      const stored = (await deps.records.list()).map((record) => listedRecord(record, configured, deps));
      return { body: queryList([...stored, ...configured], query, { nameOf: ({ name }) => name }) };
    },
  };
}

function getOperation(traits: RuleKindTraits): Operation<RuleOperationDeps> {
  const { words, noun, readers, schema } = traits;
  return {
    id: `get${noun}`,
    summary: `Get a stored ${words}.`,
    description: 'Returns the rule as it was written. The header `etag` has its revision, for `If-Match`.',
    problems: ['rule_not_found'],
    method: 'GET',
    path: '/:name',
    pathParameters: { name: ruleNameSchema },
    roles: readers,
    reply: { title: `Stored ${words} with its name`, ...objectOf({ name: text, rule: schema }) },
    replyHeaders: REVISION,
    async handle({ params: { name = '' } }, { records }) {
      const record = await records.find(name);
      if (!record) throw ruleNotFound(words, name);
      return { body: { name, rule: record.document }, headers: revisionTag(record) };
    },
  };
}

function putOperation(traits: RuleKindTraits): Operation<RuleOperationDeps, RuleBody> {
  const { words, noun, schema, meaning } = traits;
  return {
    id: `put${noun}`,
    summary: `Create or replace a stored ${words}.`,
    description: `Stores the ${words}, which is in effect when the reply arrives. ${meaning}`,
    problems: ['name_taken', 'precondition_failed', 'not_taken_up'],
    requestHeaders: { ...IF_MATCH, 'If-None-Match': '`*`: 412 if there is a rule of this name' },
    method: 'PUT',
    path: '/:name',
    pathParameters: { name: ruleNameSchema },
    roles: ['admin'],
    body: managementBody(`${noun} to store`, schema, commentMember),
    reply: doneSchema(`${noun} stored`, schema),
    replyHeaders: REVISION,
    audited: true,
    handle: (call, deps) =>
      deps.runInTurn(call, () => {
        const { name = '' } = call.params;
        const note = changeNote(call, { comment: call.body.comment ?? null }, deps.now());
        return storeRule(call, { traits, name, document: call.body.properties, note }, deps);
      }),
  };
}

function previewOperation(
  traits: RuleKindTraits,
): Operation<RuleOperationDeps, { readonly properties: NamedRecord['document'] | null }> {
  const { words, noun, schema, effectSchema } = traits;
  return {
    id: `preview${noun}`,
    summary: `Get what a change of a ${words} would do, without the change.`,
    description: 'Checks the rule as the change does. `effects` has what changes for callers.',
    problems: ['name_taken'],
    method: 'POST',
    path: '/:name/preview',
    pathParameters: { name: ruleNameSchema },
    roles: ['admin'],
    body: managementBody(
      `${noun} to preview`,
      { anyOf: [schema, { type: 'null' }], description: 'Null: the rule is deleted' },
      {},
    ),
    reply: {
      title: `Effects of a ${words}`,
      ...objectOf({
        before: { anyOf: [schema, { type: 'null' }] },
        after: { anyOf: [schema, { type: 'null' }] },
        effects: { type: 'array', items: effectSchema },
      }),
    },
    async handle({ params: { name = '' }, body: { properties: after } }, deps) {
      requireRuleName(traits, name);
      if (after) requireValid(traits, { name, document: after }, deps);
      const before = (await deps.records.find(name))?.document;
      const effects = deps.effects(name, before, after ?? undefined);
      return { body: { before: before ?? null, after, effects } };
    },
  };
}

function removeOperation(traits: RuleKindTraits): Operation<RuleOperationDeps> {
  const { words, noun } = traits;
  return {
    id: `delete${noun}`,
    summary: `Delete a stored ${words}.`,
    description: 'Deletes a stored rule. Its versions stay, and a rollback creates it again.',
    problems: ['rule_not_found', 'precondition_failed', 'not_taken_up'],
    requestHeaders: IF_MATCH,
    method: 'DELETE',
    path: '/:name',
    pathParameters: { name: ruleNameSchema },
    roles: ['admin'],
    query: commentQuery,
    reply: doneSchema(`${noun} deleted`),
    audited: true,
    handle: (call, deps) =>
      deps.runInTurn(call, async () => {
        const { name = '' } = call.params;
        requireRuleName(traits, name);
        const note = changeNote(call, changeTermsOf(call.query), deps.now());
        const removed = await deps.records.remove({ name, revision: seenRevision(call) }, note);
        const { document } = changedRecord(removed, () => ruleNotFound(words, name));
        await requireApplied(deps);
        return {
          body: { status: 'OK', message: `Successfully deleted ${name}.` },
          change: { before: document },
        };
      }),
  };
}

function rollbackOperation(
  traits: RuleKindTraits,
): Operation<RuleOperationDeps, { readonly revision: number; readonly comment?: string | null }> {
  const { application, kind, words, noun, schema } = traits;
  return {
    id: `rollback${noun}`,
    summary: `Restore an earlier version of a stored ${words}.`,
    description: 'Stores the rule of an earlier version as a new version. Creates a deleted rule again.',
    problems: ['rule_not_found', 'name_taken', 'version_not_found', 'precondition_failed', 'not_taken_up'],
    requestHeaders: IF_MATCH,
    method: 'POST',
    path: '/:name/rollback',
    pathParameters: { name: ruleNameSchema },
    roles: ['admin'],
    through: [`${application}.put${noun}`],
    body: {
      title: `Rollback of a ${kind}`,
      type: 'object',
      required: ['revision'],
      additionalProperties: false,
      properties: { revision: { type: 'integer', minimum: 0 }, ...commentMember },
    },
    reply: doneSchema(`${noun} restored`, schema),
    replyHeaders: REVISION,
    audited: true,
    handle: (call, deps) =>
      deps.runInTurn(call, async () => {
        const { name = '' } = call.params;
        const { revision, comment = null } = call.body;
        const { document } = await requireVersion(historyOf(traits), deps, { name, revision });
        const note = {
          ...changeNote(call, { comment }, deps.now()),
          ...({ action: 'rolled-back', restores: revision } as const),
        };
        return storeRule(call, { traits, name, document, note }, deps);
      }),
  };
}

/** Returns the schema of a rule for the API: absent members stay absent, and members are no components of the description. */
export function asWritten(
  title: string,
  schema: JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> },
): JsonSchema {
  const members = Object.entries(schema.properties);
  return {
    ...schema,
    title,
    properties: Object.fromEntries(members.map(([name, member]) => [name, omit(member, 'title', 'default')])),
  };
}

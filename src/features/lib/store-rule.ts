import type { LocatedFault } from '../../core/fault.js';
import type { Call, Reply } from '../../core/operation.js';
import type { NamedRecord, RecordStore } from '../../core/platform-state.js';
import type { Role } from '../../core/principal.js';
import { andMoreErrors, Problem } from '../../core/problem.js';
import { type ChangeNote, type RuleKind, versionOutcome } from '../../core/record-history.js';
import type { JsonSchema } from '../../core/schema.js';
import { withFix } from '../../lib/sentence.js';
import type { RunInTurn } from '../../lib/serial-queue.js';
import type { ConfigSection } from '../../server/state/configuration.js';
import type { Opened } from '../../server/state/factories.js';
import { ruleNameSchema } from '../../settings/limits.js';
import { type ApplyDeps, requireApplied } from './history-operations.js';
import { changedRecord, revisionTag, seenRevision, staleRecord } from './revision-tag.js';

/** A rule of a list: one that is stored, or one of a file or of the active profile. */
export interface ListedRule {
  readonly name: string;
  readonly origin:
    | { readonly kind: 'record' }
    | { readonly kind: 'file'; readonly file: string; readonly line: number }
    | { readonly kind: 'profile'; readonly profile: string };
  /** Revision for `If-Match`; null for a rule that is not stored. */
  readonly revision: number | null;
  /** Why a stored rule is not in effect; null if it is. */
  readonly fault: string | null;
  readonly rule: object;
}

/** Dependencies of the operations on rules that all kinds share. */
export interface RuleTerms extends ApplyDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newRecordId: () => string;
  /** Serializes changes. */
  readonly runInTurn: RunInTurn;
}

/** Dependencies of the operations on the rules of one kind. */
export interface RuleOperationDeps extends RuleTerms {
  readonly records: RecordStore;
  /** Checks a rule that a caller sent. Pointers of faults are relative to the rule. */
  readonly open: (name: string, document: NamedRecord['document']) => Opened<unknown>;
  /** Returns the rules of files and of the active profile. */
  readonly configured: () => readonly ListedRule[];
  /** Returns what changes for callers when a rule takes the place of another; undefined: there is none. */
  readonly effects: (
    name: string,
    before: NamedRecord['document'] | undefined,
    after: NamedRecord['document'] | undefined,
  ) => readonly object[];
}

/** What distinguishes the kinds of rules. */
export interface RuleKindTraits {
  readonly kind: RuleKind;
  readonly words: 'access rule' | 'limit';
  /** Name of the application. */
  readonly application: 'access-rules' | 'limits';
  /** Noun in the names of the operations. */
  readonly noun: 'AccessRule' | 'LimitRule';
  readonly readers: readonly [Role, ...Role[]];
  readonly maxRules: number;
  readonly schema: JsonSchema;
  /** Schema of one effect of a change. */
  readonly effectSchema: JsonSchema;
  /** Sentence for the description of a change. */
  readonly meaning: string;
}

/** Creates the Problem of a name without a stored rule. */
export function ruleNotFound(words: string, name: string): Problem {
  return new Problem('rule_not_found', `There is no stored ${words} "${name}".`);
}

/** Returns a stored rule as lists show it. */
export function listedRecord(
  { name, revision, document }: NamedRecord,
  configured: readonly ListedRule[],
  { open }: RuleOperationDeps,
): ListedRule {
  const opened = open(name, document);
  const [fault] = 'faults' in opened ? opened.faults.map(faultText) : [];
  const shadow = configured.find((rule) => rule.name === name);
  return {
    name,
    revision,
    origin: { kind: 'record' },
    fault: shadow ? `${placeOf(shadow)} has the same name, and takes precedence` : (fault ?? null),
    rule: document,
  };
}

function placeOf({ origin }: ListedRule): string {
  if (origin.kind === 'file') return `a rule in ${origin.file}`;
  return origin.kind === 'profile' ? `a rule of the profile "${origin.profile}"` : 'a stored rule';
}

function faultText({ pointer, message }: LocatedFault): string {
  return `${pointer} ${message}`.trim();
}

/** Throws `invalid_request` for a name that no rule can have. */
export function requireRuleName({ words }: RuleKindTraits, name: string): void {
  const { pattern, 'x-hint': hint } = ruleNameSchema;
  if (!new RegExp(pattern, 'u').test(name))
    throw new Problem('invalid_request', `The name of the ${words} ${hint}.`);
}

/** Throws `name_taken`, or `invalid_request` with all faults of a rule. */
export function requireValid(
  { words }: RuleKindTraits,
  { name, document }: Pick<NewRule, 'name' | 'document'>,
  { open, configured }: RuleOperationDeps,
): void {
  const shadow = configured().find((rule) => rule.name === name);
  if (shadow)
    throw new Problem('name_taken', `${placeOf(shadow)} has the name "${name}" and takes precedence.`);
  const opened = open(name, document);
  if ('value' in opened) return;
  const errors = opened.faults.map((fault) => ({
    pointer: `/properties${fault.pointer}`,
    message: withFix(fault),
  }));
  const more = andMoreErrors(errors.length - 1);
  const detail = `The ${words} was not stored: ${errors[0]?.pointer ?? ''} ${errors[0]?.message ?? ''}${more}`;
  throw new Problem('invalid_request', detail, { errors });
}

interface NewRule {
  readonly name: string;
  readonly document: NamedRecord['document'];
  readonly note: ChangeNote;
}

/** Stores a rule, and applies it. Callers must serialize calls. */
export async function storeRule(
  call: Call,
  { traits, name, document, note }: NewRule & { readonly traits: RuleKindTraits },
  deps: RuleOperationDeps,
): Promise<Reply> {
  const { records } = deps;
  const { kind, words } = traits;
  requireRuleName(traits, name);
  requireValid(traits, { name, document }, deps);
  const before = await records.find(name);
  const revision = seenRevision(call);
  if (before ? call.header('if-none-match')?.trim() === '*' : revision !== undefined) throw staleRecord();
  if (!before && (await records.list()).length >= traits.maxRules)
    throw new Problem('invalid_request', `There are ${traits.maxRules} stored ${words}s, the maximum.`);
  const record = before
    ? changedRecord(await records.update({ name, revision }, () => document, note), () =>
        ruleNotFound(words, name),
      )
    : await records.create({ name, id: deps.newRecordId(), document }, note);
  // Another node has created the rule meanwhile.
  if (!record) throw staleRecord();
  await requireApplied(deps);
  const message = `Successfully ${before ? 'updated' : 'created'} ${name}.`;
  return {
    body: { status: before ? 'OK' : 'Created', message, data: document },
    headers: revisionTag(record),
    outcome: versionOutcome({ kind, name, revision: record.revision }),
    change: { ...(before && { before: before.document }), after: document },
  };
}

/** Returns the origin of a rule at a pointer of the main file. */
export function originInFile(
  { document, at }: ConfigSection['written'],
  pointer: string,
): ListedRule['origin'] {
  return { kind: 'file', file: document.file, line: document.locate(at + pointer).line };
}

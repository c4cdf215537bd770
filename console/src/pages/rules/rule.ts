import type { RuleKind } from '../../../../src/core/record-history.js';
import { pathOf } from '../../api/api-request.js';
import { textOf } from '../../text/text.js';

const text = textOf('rules');

/** A document of a rule: the keys of the configuration that are written. */
export type RuleDocument = Readonly<Record<string, unknown>>;

/** A rule as `GET /access/rules` and `GET /limits` list it. */
export interface ListedRule {
  readonly name: string;
  readonly origin:
    | { readonly kind: 'record' }
    | { readonly kind: 'file'; readonly file: string; readonly line: number }
    | { readonly kind: 'profile'; readonly profile: string };
  /** Null for a rule that is not stored. */
  readonly revision: number | null;
  /** Why a stored rule is not in effect. */
  readonly fault: string | null;
  readonly rule: RuleDocument;
}

/** Reply of `POST /access/rules/:name/preview`. */
export interface RulePreview<Effect> {
  readonly before: RuleDocument | null;
  readonly after: RuleDocument | null;
  readonly effects: readonly Effect[];
}

const FOLDERS = { 'access-rule': ['access', 'rules'], limit: ['limits'] } as const;

/** Ids of the operations that change rules. */
export const RULE_OPERATIONS = {
  'access-rule': { put: 'putAccessRule', remove: 'deleteAccessRule' },
  limit: { put: 'putLimitRule', remove: 'deleteLimitRule' },
} as const satisfies Record<RuleKind, object>;

/** Returns the path of a rule, or of an operation on it. */
export function rulePath(kind: RuleKind, ...names: readonly string[]): string {
  return pathOf([...FOLDERS[kind], ...names]);
}

/** Returns the path of all rules of a kind. */
export function rulesPath(kind: RuleKind): string {
  return pathOf(FOLDERS[kind], { limit: 2000 });
}

/** Paths that are read again after a change of a rule. */
export const RULE_CHANGES = ['/access', '/limits', '/console'] as const;

/** Returns a name for a rule that has none: "noc-restQuery-nso1.example.com", and a number if it is taken. */
export function proposedName(words: readonly string[], taken: readonly string[]): string {
  const joined = words.map((word) => word.replaceAll(/[^A-Za-z0-9._-]+/g, '-')).join('-');
  const base =
    joined
      .replaceAll(/-{2,}/g, '-')
      .slice(0, 60)
      .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || 'rule';
  if (!taken.includes(base)) return base;
  const number = [...taken.keys(), taken.length].find((at) => !taken.includes(`${base}-${at + 2}`)) ?? 0;
  return `${base}-${number + 2}`;
}

/** Returns the values of a field that separates them with commas. */
export function valuesIn(entry: string): readonly string[] {
  const values = entry.split(',').map((value) => value.trim());
  return [...new Set(values.filter((value) => value !== ''))];
}

/** Returns a document without its empty lists and texts. */
export function withoutEmpty(document: RuleDocument): RuleDocument {
  return Object.fromEntries(
    Object.entries(document).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** Returns where a rule comes from, in words. */
export function originText({ origin }: ListedRule): string {
  if (origin.kind === 'file') return text('origin.file', { file: origin.file, line: String(origin.line) });
  return origin.kind === 'profile' ? text('origin.profile', { name: origin.profile }) : text('origin.record');
}

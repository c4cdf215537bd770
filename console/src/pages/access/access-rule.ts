import { formatList } from '../../kit/numbers.js';
import { textOf } from '../../text/text.js';
import { type RuleDocument, type RulePreview, valuesIn, withoutEmpty } from '../rules/rule.js';
import { CALL_OPERATIONS, type Result } from './decision.js';

const text = textOf('access');

/** Keys of the operations that send calls through adapters. */
export type CallKey = keyof typeof CALL_OPERATIONS;
export const CALL_KEYS = Object.keys(CALL_OPERATIONS) as readonly CallKey[];

/** Lists of a rule that a text field shows, separated by commas. */
const LISTS = [
  'roles',
  'adapters',
  'tags',
  'methods',
  'paths',
  'methodNames',
  'methodTags',
  'methodEffects',
] as const;
type ListKey = (typeof LISTS)[number];

/** An access rule as its fields have it. */
export interface AccessDraft extends Readonly<Record<ListKey, string>> {
  readonly operations: readonly CallKey[];
}

/** Returns the fields of a rule. */
export function draftOf(rule: RuleDocument): AccessDraft {
  const lists = LISTS.map((key) => [key, listIn(rule, key).join(', ')] as const);
  const named = listIn(rule, 'operations');
  return {
    ...(Object.fromEntries(lists) as Record<ListKey, string>),
    operations:
      named.length === 0 ? CALL_KEYS : CALL_KEYS.filter((key) => named.includes(CALL_OPERATIONS[key])),
  };
}

/** Returns the rule of the fields. A rule with all operations names none. */
export function ruleOf({ operations, ...lists }: AccessDraft): RuleDocument {
  const values = Object.entries(lists).map(([key, entry]) => [key, valuesIn(entry)] as const);
  const named = CALL_KEYS.filter((key) => operations.includes(key)).map((key) => CALL_OPERATIONS[key]);
  return withoutEmpty({
    ...Object.fromEntries(values),
    operations: named.length === CALL_KEYS.length ? [] : named,
  });
}

/** What one role may do before and after a change of a rule, by the server. */
interface AccessEffect {
  readonly role: string;
  readonly subjects: readonly string[];
  readonly operation: string;
  readonly adapters: readonly string[];
  readonly before: Result;
  readonly after: Result;
}

/** Returns who gains and loses what, in sentences. */
export function accessSentences({ after, before, effects }: RulePreview<AccessEffect>): readonly string[] {
  const condition = conditionOf(after ?? {});
  const sentences = effects.map((effect) => sentenceOf(effect, condition));
  if (sentences.length === 0) sentences.push(text('noEffect'));
  return before ? sentences : [...sentences, text('takesNothing')];
}

/** Number of adapters that a sentence names. */
const NAMED_ADAPTERS = 5;

function sentenceOf(
  { role, subjects, operation, adapters, ...results }: AccessEffect,
  condition: string,
): string {
  const key = CALL_KEYS.find((one) => CALL_OPERATIONS[one] === operation) ?? 'query';
  const names = formatList(adapters.slice(0, NAMED_ADAPTERS));
  const count = adapters.length - NAMED_ADAPTERS;
  const words = {
    who: subjects.length === 0 ? role : text('whoWith', { role, subjects: formatList(subjects) }),
    does: text(`does.${key}`),
    adapters: count > 0 ? text('adaptersMany', { names, count }) : names,
  };
  const { before, after } = results;
  if (after === 'allowed') return text('gains', words);
  if (after === 'denied') return text('loses', words);
  if (before === 'denied') return text('gainsSome', { ...words, condition });
  return text(before === 'allowed' ? 'losesSome' : 'otherSome', { ...words, condition });
}

const CONDITIONS = ['methods', 'paths', 'methodNames', 'methodTags', 'methodEffects'] as const;

function conditionOf(rule: RuleDocument): string {
  return formatList(CONDITIONS.flatMap((key) => listIn(rule, key)));
}

/** Returns what a rule admits, for a list. */
export function admittedBy(rule: RuleDocument): readonly string[] {
  const named = listIn(rule, 'operations');
  const keys = CALL_KEYS.filter((key) => named.includes(CALL_OPERATIONS[key]));
  const roles = listIn(rule, 'roles');
  const condition = conditionOf(rule);
  return [
    roles.length === 0 ? text('everyone') : text('summaryRoles', { names: formatList(roles) }),
    named.length === 0 ? text('everyOperation') : formatList(keys.map((key) => text(key))),
    ...(condition === '' ? [] : [condition]),
  ];
}

/** Returns the adapters that a rule selects, for a list. */
export function selectedBy(rule: RuleDocument): readonly string[] {
  const [adapters, tags] = [listIn(rule, 'adapters'), listIn(rule, 'tags')];
  return [
    ...(adapters.length === 0 ? [] : [text('summaryAdapters', { names: formatList(adapters) })]),
    ...(tags.length === 0 ? [] : [text('summaryTags', { names: formatList(tags) })]),
    ...(adapters.length + tags.length === 0 ? [text('summaryAll')] : []),
  ];
}

function listIn(rule: RuleDocument, key: string): readonly string[] {
  const value = rule[key];
  return Array.isArray(value) ? value.map(String) : [];
}

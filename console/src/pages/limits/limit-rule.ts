import { formatList } from '../../kit/numbers.js';
import { textOf } from '../../text/text.js';
import { type RuleDocument, type RulePreview, valuesIn, withoutEmpty } from '../rules/rule.js';
import { countedBy, type LimitWords, permittedBy } from './limit.js';

const text = textOf('limits');

const LISTS = ['callerNames', 'adapters', 'operations', 'roles'] as const;
const NUMBERS = ['requests', 'periodSeconds', 'burst', 'concurrent'] as const;

/** A limit as its fields have it: lists are separated by commas. */
export interface LimitDraft extends Readonly<
  Record<(typeof LISTS)[number] | (typeof NUMBERS)[number], string>
> {
  readonly per: LimitWords['per'];
  readonly enabled: boolean;
}

/** Returns a limit with the defaults of its absent keys. */
export function completeLimit(rule: RuleDocument): LimitWords {
  return {
    enabled: true,
    per: 'subject',
    operations: [],
    adapters: [],
    roles: [],
    callerNames: [],
    requests: null,
    periodSeconds: 60,
    burst: null,
    concurrent: null,
    ...rule,
  };
}

/** Returns the fields of a limit. */
export function limitDraft(rule: RuleDocument): LimitDraft {
  const complete = completeLimit(rule);
  const entry = (value: number | null) => (value === null ? '' : String(value));
  return {
    per: complete.per,
    enabled: complete.enabled,
    callerNames: complete.callerNames.join(', '),
    adapters: complete.adapters.join(', '),
    operations: complete.operations.join(', '),
    roles: complete.roles.join(', '),
    requests: entry(complete.requests),
    periodSeconds: entry(complete.periodSeconds),
    burst: entry(complete.burst),
    concurrent: entry(complete.concurrent),
  };
}

/** Returns the limit of the fields. Keys with their default are left out. */
export function limitOf(draft: LimitDraft): RuleDocument {
  const lists = LISTS.map((key) => [key, valuesIn(draft[key])] as const);
  const numbers = NUMBERS.map((key) => [key, draft[key] === '' ? '' : Number(draft[key])] as const);
  const values: RuleDocument = Object.fromEntries<unknown>([...lists, ...numbers]);
  return withoutEmpty({
    ...values,
    ...(draft.per !== 'subject' && { per: draft.per }),
    ...(!draft.enabled && { enabled: false }),
  });
}

/** Returns the fault of a field for a number; undefined if it is empty or valid. */
export function numberFault(entry: string): string | undefined {
  return entry === '' || /^[1-9]\d{0,8}$/.test(entry) ? undefined : text('invalid');
}

/** Returns whether a limit has everything that it needs. */
export function isComplete(draft: LimitDraft): boolean {
  const isNumeric = NUMBERS.every((key) => numberFault(draft[key]) === undefined);
  return isNumeric && draft.periodSeconds !== '' && (draft.requests !== '' || draft.concurrent !== '');
}

/** Which adapters of now a limit counts, by the server. */
interface LimitEffect {
  readonly adapters: readonly string[];
  readonly subjects: readonly string[];
}

/** Number of adapters that a sentence names. */
const NAMED_ADAPTERS = 8;

/** Returns what a limit does, in sentences. */
export function limitSentences(name: string): (preview: RulePreview<LimitEffect>) => readonly string[] {
  return ({ after, effects }) => {
    if (!after) return [text('s.removed', { name })];
    const limit = completeLimit(after);
    const permits = formatList(permittedBy(limit));
    const callers = formatList(limit.callerNames);
    const [{ adapters } = { adapters: [] }] = effects;
    return [
      callers === ''
        ? text('s.each', { per: text(limit.per), permits })
        : text('s.caller', { callers, permits }),
      text('s.counts', { counts: formatList(countedBy({ ...limit, callerNames: [] })) }),
      ...(limit.adapters.length === 0
        ? []
        : [
            adapters.length === 0
              ? text('s.noMatch')
              : text('s.matches', { names: formatList(adapters.slice(0, NAMED_ADAPTERS)) }),
          ]),
      ...(limit.enabled ? [text('s.others')] : [text('s.off')]),
    ];
  };
}

import { asSettings } from '../../config/settings-schema.js';
import type { LimitRule } from '../../core/limits.js';
import type { Application } from '../../core/operation.js';
import { READERS } from '../../core/principal.js';
import { objectOf } from '../../json/json-object.js';
import { pointerTo, valueAt } from '../../json/pointer.js';
import { matchesName } from '../../lib/name-pattern.js';
import type { Desired } from '../../server/state/configuration.js';
import { limitsSchema } from '../../settings/limits.js';
import type { AccessCaller } from '../access/access-explanation.js';
import { names, objectOf as objectSchema } from '../lib/reply-schemas.js';
import { asWritten, ruleOperations } from '../lib/rule-operations.js';
import { type ListedRule, originInFile, type RuleOperationDeps } from '../lib/store-rule.js';
import { isForCaller } from './limit-matcher.js';

/** The application of the limits that are records of the API. */
export const limitRules: Application<RuleOperationDeps> = {
  name: 'limits',
  summary: 'Limits of callers, with their versions.',
  prefixes: ['/limits'],
  operations: ruleOperations({
    kind: 'limit',
    words: 'limit',
    application: 'limits',
    noun: 'LimitRule',
    readers: READERS,
    maxRules: limitsSchema.maxProperties,
    schema: asWritten('Stored limit', limitsSchema.additionalProperties),
    meaning: 'A limit of a file or of the active profile takes precedence over one of the same name.',
    effectSchema: objectSchema({
      adapters: { ...names, description: 'Adapters whose calls the limit counts; empty: all calls' },
      subjects: {
        ...names,
        description: 'Users, clients and certificates of the configuration that it counts',
      },
    }),
  }),
};

/** Returns the limits of the main file and of the active profile. */
export function configuredLimits({ main, files, state }: Desired): readonly ListedRule[] {
  const ofProfile = objectOf(state.profile?.document['limits']);
  const ofFile = objectOf(valueAt(files.main.written.value, '/limits'));
  const { limits } = asSettings(main.written.value);
  return Object.entries(limits).flatMap(([name, rule]): readonly ListedRule[] => {
    if (state.profile && Object.hasOwn(ofProfile, name))
      return [{ ...LOCKED, name, rule, origin: { kind: 'profile', profile: state.profile.name } }];
    if (!Object.hasOwn(ofFile, name)) return [];
    return [{ ...LOCKED, name, rule, origin: originInFile(files.main.written, pointerTo('/limits', name)) }];
  });
}

const LOCKED = { revision: null, fault: null } as const;

/** Returns which adapters and which callers of the configuration a limit counts. */
export function limitEffects(
  rule: LimitRule | undefined,
  { adapters, callers }: { readonly adapters: readonly string[]; readonly callers: readonly AccessCaller[] },
): readonly object[] {
  if (!rule) return [];
  const counted = callers.filter(({ subject = '', roles }) =>
    isForCaller(rule, { principal: { subject, issuer: '', roles }, address: '' }),
  );
  return [
    {
      adapters: adapters.filter((id) => rule.adapters.some((pattern) => matchesName(pattern, id))),
      subjects: counted.flatMap(({ subject }) => subject ?? []),
    },
  ];
}

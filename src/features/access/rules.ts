import { isDeepStrictEqual } from 'node:util';
import { asSettings } from '../../config/settings-schema.js';
import type { AccessResult } from '../../core/access-decision.js';
import type { StoredAccessRule } from '../../core/access-policy.js';
import type { Application } from '../../core/operation.js';
import type { NamedRecord } from '../../core/platform-state.js';
import type { Desired } from '../../server/state/configuration.js';
import { storedAccessRuleSchema } from '../../server/state/stored-rules.js';
import { CALL_OPERATIONS } from '../../settings/access.js';
import { names, objectOf, text } from '../lib/reply-schemas.js';
import { asWritten, ruleOperations } from '../lib/rule-operations.js';
import { type ListedRule, originInFile, type RuleOperationDeps } from '../lib/store-rule.js';
import type { AccessDirectory } from './access-directory.js';
import { callResults } from './access-explanation.js';
import { resultSchema } from './lists.js';

/** The application of the access rules that are records of the API. */
export const accessRules: Application<RuleOperationDeps> = {
  name: 'access-rules',
  summary: 'Rules that admit calls through adapters, with their versions.',
  prefixes: ['/access/rules'],
  operations: ruleOperations({
    kind: 'access-rule',
    words: 'access rule',
    application: 'access-rules',
    noun: 'AccessRule',
    readers: ['admin'],
    maxRules: 1000,
    schema: asWritten('Stored access rule', storedAccessRuleSchema),
    meaning:
      'It admits calls of its roles, also if the roles of the operation and the rules of the main file do not; it takes no right away.',
    effectSchema: objectOf({
      role: text,
      subjects: {
        ...names,
        description: 'Users, clients and certificates of the configuration that have the role',
      },
      operation: { enum: CALL_OPERATIONS },
      adapters: names,
      before: resultSchema,
      after: resultSchema,
    }),
  }),
};

/** What one role may do after a change of a rule, and before it. */
interface AccessEffect {
  readonly role: string;
  readonly subjects: readonly string[];
  readonly operation: string;
  readonly adapters: readonly string[];
  readonly before: AccessResult;
  readonly after: AccessResult;
}

/**
 * Returns which calls the roles of two versions of a rule gain and lose. A result `depends` before and after stands for other
 * methods or paths.
 */
export function accessEffects(
  access: AccessDirectory,
  name: string,
  [before, after]: readonly (NamedRecord['document'] | undefined)[],
): readonly AccessEffect[] {
  const [from, to] = [before, after].map((document) => access.policiesWith(name, document));
  const allowed = new Map(access.operations().map((operation) => [operation.name, operation.allowed]));
  const allowedOf = (operation: string) => allowed.get(operation) ?? [];
  const roles = [before, after].flatMap(
    (rule) => (rule as StoredAccessRule['rule'] | undefined)?.roles ?? [],
  );
  const isEdited = before && after && !isDeepStrictEqual(before, after);
  const pairs = [...(from ?? [])].map(([adapter, previous]) => ({
    adapter,
    policies: [previous, to?.get(adapter) ?? previous],
  }));
  const rows = [...new Set(roles)].flatMap((role) =>
    pairs.flatMap(({ adapter, policies }) => {
      const [was, is] = policies.map((policy) => callResults(policy, role, allowedOf));
      return CALL_OPERATIONS.map((operation) => ({
        role,
        operation,
        adapter,
        before: was?.[operation] ?? 'denied',
        after: is?.[operation] ?? 'denied',
      }));
    }),
  );
  const changed = rows.filter((row) => row.before !== row.after || (isEdited && row.after === 'depends'));
  return groupedEffects(changed, access.subjectsOf);
}

/** Joins the changes of one role and one operation that differ only in their adapters. */
function groupedEffects(
  changed: readonly (Omit<AccessEffect, 'subjects' | 'adapters'> & { readonly adapter: string })[],
  subjectsOf: AccessDirectory['subjectsOf'],
): readonly AccessEffect[] {
  const found = new Map<string, AccessEffect>();
  for (const { adapter, ...effect } of changed) {
    const key = [effect.role, effect.operation, effect.before, effect.after].join(' ');
    const { adapters = [] } = found.get(key) ?? {};
    found.set(key, { ...effect, subjects: subjectsOf(effect.role), adapters: [...adapters, adapter] });
  }
  return [...found.values()];
}

/** Returns the access rules of the main file, or those of the active profile that replace them. */
export function configuredAccessRules({ main, files, state: { profile } }: Desired): readonly ListedRule[] {
  const isProfile = Array.isArray(profile?.document['access']);
  return asSettings(main.written.value).access.map((rule, index) => ({
    name: `access/${index}`,
    origin:
      profile && isProfile
        ? { kind: 'profile', profile: profile.name }
        : originInFile(files.main.written, `/access/${index}`),
    revision: null,
    fault: null,
    rule,
  }));
}

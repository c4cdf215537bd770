import type { StoredAccessRule } from '../../core/access-policy.js';
import type { LocatedFault } from '../../core/fault.js';
import type { LimitRule } from '../../core/limits.js';
import type { NamedRecord, PlatformState } from '../../core/platform-state.js';
import type { CompileSchema, JsonSchema } from '../../core/schema.js';
import { objectOf } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import { matchesName } from '../../lib/name-pattern.js';
import { findReferences } from '../../secrets/find-references.js';
import { globalAccessSchema } from '../../settings/access.js';
import { limitsSchema } from '../../settings/limits.js';
import { accessFaults } from './check-access.js';
import { checkLimits } from './check-limits.js';
import type { ConfigSection } from './configuration.js';
import type { Opened } from './factories.js';

/** Dependencies of the check of a stored rule. */
export interface RuleDeps {
  readonly compile: CompileSchema;
  readonly operationNames: readonly string[];
}

/** Schema of a stored access rule: a rule as in the main file, which names roles. */
export const storedAccessRuleSchema = {
  ...globalAccessSchema.items,
  title: 'Stored access rule',
  required: ['roles'],
} as const;

/** Schema of a stored limit. */
const storedLimitSchema: JsonSchema = limitsSchema.additionalProperties;

/** Checks an access rule before it is stored. Pointers of faults are relative to the rule. */
export function openAccessRule(
  document: NamedRecord['document'],
  deps: RuleDeps,
): Opened<StoredAccessRule['rule']> {
  const opened = openRule<StoredAccessRule['rule']>(document, storedAccessRuleSchema, deps);
  if ('faults' in opened) return opened;
  const faults = relativeTo('/access/0', accessFaults([opened.value], deps.operationNames));
  return faults.length > 0 ? { faults } : opened;
}

/** Checks a limit, and adds the defaults of its missing members. Pointers of faults are relative to the limit. */
export function openLimit(
  name: string,
  document: NamedRecord['document'],
  deps: RuleDeps,
): Opened<LimitRule> {
  const opened = openRule<LimitRule>(document, storedLimitSchema, deps);
  if ('faults' in opened) return opened;
  const ofLimit = checkLimits({ [name]: opened.value }, deps.operationNames);
  const faults = [...relativeTo(pointerTo('/limits', name), ofLimit), ...lockOutFaults(opened.value)];
  return faults.length > 0 ? { faults } : opened;
}

/** Adds the stored limits to the main file. A limit of the file or of the active profile takes precedence. */
export function withStoredLimits(main: ConfigSection, state: PlatformState, deps: RuleDeps): ConfigSection {
  const value = objectOf(main.written.value);
  const configured = objectOf(value['limits']);
  const room = limitsSchema.maxProperties - Object.keys(configured).length;
  const stored = state.limits
    .filter(({ name }) => !Object.hasOwn(configured, name))
    .map(({ name, document }) => [name, openLimit(name, document, deps)] as const)
    // The operations that a limit names may be gone since it was stored.
    .flatMap(([name, opened]) => ('value' in opened ? [[name, opened.value] as const] : []))
    .slice(0, Math.max(0, room));
  if (stored.length === 0) return main;
  const limits = { ...configured, ...Object.fromEntries(stored) };
  return { ...main, written: { ...main.written, value: { ...value, limits } } };
}

function openRule<Rule>(document: unknown, schema: JsonSchema, { compile }: RuleDeps): Opened<Rule> {
  const value = structuredClone(document);
  const { references, literals, faults } = findReferences(value);
  const secrets = [...references, ...literals, ...faults];
  if (secrets.length > 0)
    return {
      faults: secrets.map(({ pointer }) => ({
        pointer,
        code: 'reference',
        message: 'is or resembles a reference to a secret, which a rule cannot contain',
        fix: 'Write the value itself.',
      })),
    };
  const { violations } = compile(schema)(value);
  if (violations.length === 0) return { value: value as Rule };
  return {
    faults: violations.map(({ pointer, message, advice }) => ({
      pointer,
      message,
      code: 'schema',
      fix: advice,
    })),
  };
}

function relativeTo(prefix: string, faults: readonly LocatedFault[]): readonly LocatedFault[] {
  return faults.map((fault) => ({ ...fault, pointer: fault.pointer.slice(prefix.length) }));
}

const LOGIN_OPERATIONS = ['login.login', 'login.getToken'];
/** Operations that remove a limit, and change who may call what. */
const RECOVERY = /^(limits|access-rules)\./;
const MIN_LOGINS_PER_MINUTE = 10;

/** Returns the faults of a limit that could keep administrators from removing it. */
function lockOutFaults(rule: LimitRule): readonly LocatedFault[] {
  const { operations, adapters, roles, callerNames, requests, periodSeconds, concurrent } = rule;
  const named = operations.flatMap((name, at) => (RECOVERY.test(name) ? [`/operations/${at}`] : []));
  const countsLogins =
    adapters.length === 0 &&
    (operations.length === 0 ||
      operations.some((pattern) => LOGIN_OPERATIONS.some((name) => matchesName(pattern, name))));
  const isSlow =
    (requests !== null && (requests * 60) / periodSeconds < MIN_LOGINS_PER_MINUTE) || concurrent === 1;
  return [
    ...named.map((pointer) => ({
      pointer,
      code: 'lock_out',
      message: 'is an operation that removes limits or changes rights, which a stored limit cannot count',
      fix: 'Leave it out, or write the limit in the main file.',
    })),
    // A caller without a token has neither a role nor a name.
    ...(countsLogins && isSlow && roles.length + callerNames.length === 0
      ? [
          {
            pointer: requests === null ? '/concurrent' : '/requests',
            code: 'lock_out',
            message: `permits fewer than ${MIN_LOGINS_PER_MINUTE} logins in a minute, so that administrators may be locked out`,
            fix: 'Name operations, adapters, roles or callers, or permit more calls.',
          },
        ]
      : []),
  ];
}

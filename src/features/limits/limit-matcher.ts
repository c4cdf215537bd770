import { isDeepStrictEqual } from 'node:util';
import type { LimitedCall, LimitedCaller, LimitRule, LimitSettings } from '../../core/limits.js';
import { BoundedMap } from '../../lib/bounded-map.js';
import { matchesName } from '../../lib/name-pattern.js';

/** A rule with its name. */
export interface NamedLimit {
  readonly name: string;
  readonly rule: LimitRule;
}

/** Returns the limits that apply to a call; an empty list if no limit applies. */
type MatchLimits<Limit extends NamedLimit> = (call: LimitedCall) => readonly Limit[];

/** Maximum number of pairs of an operation and an adapter whose limits are remembered. Callers choose the adapter names. */
const MAX_PAIRS = 1_000;

/** Creates the function that finds the limits of a call. */
function createLimitMatcher<Limit extends NamedLimit>(limits: readonly Limit[]): MatchLimits<Limit> {
  const remembered = new BoundedMap<string, readonly Limit[]>({ maxEntries: MAX_PAIRS });
  return (call) => {
    const key = `${call.operations[0] ?? ''} ${call.adapter}`;
    let matching = remembered.get(key);
    if (!matching) {
      matching = limits.filter(({ rule }) => isForCall(rule, call));
      remembered.set(key, matching);
    }
    return matching.length === 0 ? matching : matching.filter(({ rule }) => isForCaller(rule, call));
  };
}

function isForCall({ operations, adapters }: LimitRule, call: LimitedCall): boolean {
  const isOperation = call.isMonitoring
    ? call.operations.some((name) => operations.includes(name))
    : operations.length === 0 ||
      operations.some((pattern) => call.operations.some((name) => matchesName(pattern, name)));
  if (!isOperation) return false;
  if (adapters.length === 0) return true;
  return call.adapter !== '' && adapters.some((pattern) => matchesName(pattern, call.adapter));
}

/** Returns true if a limit counts the calls of a caller. */
export function isForCaller({ roles, callerNames }: LimitRule, { principal }: LimitedCaller): boolean {
  const isRole = roles.length === 0 || (principal?.roles.some((role) => roles.includes(role)) ?? false);
  return (
    isRole && (callerNames.length === 0 || namesOf(principal).some((name) => matchesAny(callerNames, name)))
  );
}

function namesOf(principal: LimitedCaller['principal']): readonly string[] {
  const names = [principal?.subject, principal?.name, principal?.client];
  return names.filter((name) => name !== undefined);
}

function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesName(pattern, name));
}

/** Keeps the limits that are made of the settings, and makes them again when the settings have changed. */
export class CurrentLimits<Limit extends NamedLimit> {
  readonly #read: () => LimitSettings;
  readonly #create: (limit: NamedLimit) => Limit;
  #settings: LimitSettings | undefined;
  #limits: readonly Limit[] = [];
  #match: MatchLimits<Limit> | undefined;

  constructor(read: () => LimitSettings, create: (limit: NamedLimit) => Limit) {
    this.#read = read;
    this.#create = create;
  }

  /** Returns the limits of the current settings. An unchanged rule keeps its limit, with its counts. */
  all(): readonly Limit[] {
    const settings = this.#read();
    if (settings === this.#settings) return this.#limits;
    this.#settings = settings;
    const previous = new Map(this.#limits.map((limit) => [limit.name, limit]));
    this.#limits = Object.entries(settings)
      .filter(([, rule]) => rule.enabled)
      .map(([name, rule]) => {
        const kept = previous.get(name);
        return kept && isDeepStrictEqual(kept.rule, rule) ? kept : this.#create({ name, rule });
      });
    this.#match = this.#limits.length === 0 ? undefined : createLimitMatcher(this.#limits);
    return this.#limits;
  }

  /** Returns the limits that apply to a call; undefined if none applies. Costs next to nothing without limits. */
  of(call: LimitedCall): readonly Limit[] | undefined {
    this.all();
    const matching = this.#match?.(call);
    return matching === undefined || matching.length === 0 ? undefined : matching;
  }
}

import type { KeyOf } from '../../text/text.js';

/** Result of a decision. */
export type Result = 'allowed' | 'depends' | 'denied';

/** Operations that send calls through adapters, in the order of the filter, by the key of their text. */
export const CALL_OPERATIONS = {
  query: 'orchestrator-manager.restQuery',
  action: 'orchestrator-manager.restAction',
  proxy: 'proxy.passThrough',
  method: 'adapters.callAdapterMethod',
} as const satisfies Partial<Record<KeyOf<'access'>, string>>;

/** Reply of `GET /access/adapters`. */
export interface AdapterAccess {
  readonly name: string;
  readonly globalRules: number;
  readonly ownRules: number;
  readonly results: Readonly<Record<string, Readonly<Record<string, Result>>>>;
}

/** Entry of the reply of `GET /access/operations`. */
export interface OperationAccess {
  readonly name: string;
  readonly allowed: readonly string[] | 'authenticated' | 'public';
  readonly isConfigured: boolean;
  readonly through: boolean;
}

/** A list of the API. */
export interface ListReply<Row> {
  readonly results: readonly Row[];
}

/** A rule as in the configuration. */
type Rule = Readonly<Record<string, readonly string[]>>;

/** A step of a decision. */
export interface Step {
  readonly check: 'operation' | 'global' | 'granted' | 'adapter';
  readonly result: Result;
  readonly outcomes: readonly {
    readonly rule: number;
    readonly result: Result;
    readonly member?: string;
  }[];
  readonly rules: readonly Rule[];
  /** Names of the rules, if they are stored. */
  readonly names?: readonly string[];
  readonly roles?: OperationAccess['allowed'];
  readonly isConfigured?: boolean;
}

/** Reply of `GET /access/decision`. */
export interface Decision {
  readonly caller: {
    readonly subject?: string;
    readonly roles: readonly string[];
  };
  readonly operation: string;
  readonly adapter?: string;
  readonly method?: string;
  readonly path?: string;
  readonly result: Result;
  readonly steps: readonly Step[];
  readonly adapters?: readonly { readonly adapter: string; readonly result: Result }[];
}

/** A question; empty members are left out. */
export interface Question {
  readonly subject?: string;
  readonly roles?: string;
  readonly operation: string;
  readonly adapter?: string;
  readonly method?: string;
  readonly path?: string;
}

/** Returns the path of the decision about a question. */
export function decisionPath(question: Question): string {
  const given = Object.entries(question).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `/access/decision?${new URLSearchParams(given)}`;
}

/** Status of the label of a result. */
export const STATUS = { allowed: 'good', depends: 'warning', denied: 'off' } as const;

/** Returns whether a role may call an operation, by the roles of the operation alone. */
export function resultOf({ allowed }: Pick<OperationAccess, 'allowed'>, role: string): Result {
  return typeof allowed === 'string' || allowed.includes(role) ? 'allowed' : 'denied';
}

/** Returns a rule in one line, as in YAML, after its name or its place in the key `access`. */
export function ruleText(place: number | string, rule: Rule): string {
  const members = Object.entries(rule).map(([key, values]) => `${key}: [${values.join(', ')}]`);
  return `${typeof place === 'number' ? `access/${place}` : place} { ${members.join(', ')} }`;
}

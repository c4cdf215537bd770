import { createHash } from 'node:crypto';
import { decideAdapterCall } from '../../core/access-decision.js';
import type { AdapterPolicy } from '../../core/access-policy.js';
import { type AdapterMethod, CALL_METHOD, calledMethod, callPath } from '../../core/adapter-method.js';
import type { Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { Scheduler } from '../../lib/clock.js';
import { matchesName } from '../../lib/name-pattern.js';
import { withTimeout } from '../../lib/timeout.js';
import { CALL_BY_NAME } from '../../settings/access.js';
import type { McpSettings } from '../../settings/mcp.js';
import type { AdaptersDeps } from '../adapters/deps.js';

export interface OfferedMethod {
  readonly adapterId: string;
  readonly method: AdapterMethod;
  readonly tool: string;
}

/** The methods of one adapter, in its order. */
interface AdapterMethods {
  readonly adapterId: string;
  readonly policy: AdapterPolicy;
  readonly methods: readonly OfferedMethod[];
}

export interface MethodSource extends Pick<AdaptersDeps, 'policies' | 'listMethods' | 'methodArguments'> {
  readonly clock: Scheduler;
}

export interface OfferedMethodsDeps extends MethodSource {
  readonly settings: Pick<McpSettings, 'adapters' | 'actions'>;
}

/** Time for an adapter to list its methods, in milliseconds: one that does not answer must not hold up the others. */
const LIST_MS = 5000;

/**
 * Returns the methods that the settings offer, of all chosen adapters or of those to which the tool with this name can belong.
 * An adapter that does not serve, or does not list its methods in time, has none.
 */
export function offeredMethods(
  deps: OfferedMethodsDeps,
  signal: CancelSignal,
  isWanted: (adapterId: string) => boolean = () => true,
): Promise<readonly AdapterMethods[]> {
  const { adapters } = deps.settings;
  const chosen = [...deps.policies()].filter(
    ([id]) => adapters.some((pattern) => matchesName(pattern, id)) && isWanted(id),
  );
  return Promise.all(
    chosen.map(async ([adapterId, policy]) => ({
      adapterId,
      policy,
      methods: await methodsOf(deps, adapterId, signal),
    })),
  );
}

/** Returns the method of a tool; undefined if no offered method has it. */
export async function methodOfTool(
  deps: OfferedMethodsDeps,
  name: string,
  signal: CancelSignal,
): Promise<OfferedMethod | undefined> {
  const found = await offeredMethods(deps, signal, (id) => name.startsWith(toolPrefix(id)));
  return found.flatMap(({ methods }) => methods).find(({ tool }) => tool === name);
}

async function methodsOf(
  { listMethods, settings, clock }: OfferedMethodsDeps,
  adapterId: string,
  signal: CancelSignal,
): Promise<readonly OfferedMethod[]> {
  const listed = listMethods(adapterId, signal).catch((error: unknown) => {
    if (error instanceof Problem) return [];
    throw error;
  });
  const methods = await withTimeout(listed, { ms: LIST_MS, scheduler: clock, late: () => [] });
  const byTool = new Map<string, OfferedMethod>();
  for (const method of methods) {
    const tool = toolName(adapterId, method.name);
    const isOffered = method.effect === 'read' || settings.actions !== 'refused';
    if (isOffered && !byTool.has(tool)) byTool.set(tool, { adapterId, method, tool });
  }
  return [...byTool.values()];
}

/** Returns the methods that the access rules admit for a caller. */
export function admittedMethods(
  { methods, policy }: AdapterMethods,
  principal: Principal | undefined,
): readonly OfferedMethod[] {
  return methods.filter(({ method }) => {
    const call = { operation: CALL_BY_NAME, method: CALL_METHOD, path: callPath(method.name) } as const;
    const called = calledMethod(method);
    return decideAdapterCall(policy, { ...call, called }, principal?.roles ?? []).result === 'allowed';
  });
}

/** Names that every client accepts; several refuse the dots that the protocol admits. */
const MAX_LENGTH = 64;
/** Maximum length of the part of the adapter. */
const MAX_PREFIX = 24;
/** Separates the adapter from its method. */
const SEPARATOR = '__';

export function toolPrefix(adapterId: string): string {
  const isPlain = !adapterId.includes(SEPARATOR) && !adapterId.endsWith('_');
  return (isPlain ? plainName(adapterId, MAX_PREFIX) : shortName(adapterId, MAX_PREFIX)) + SEPARATOR;
}

/**
 * Returns the name of the tool of a method. A longer name, or one of other characters, is cut and ends with a digest: two methods
 * have the same tool only if the name of one was chosen to clash.
 */
export function toolName(adapterId: string, method: string): string {
  const prefix = toolPrefix(adapterId);
  return prefix + plainName(method, MAX_LENGTH - prefix.length);
}

function plainName(name: string, maxLength: number): string {
  return /^[\w-]+$/.test(name) && name.length <= maxLength ? name : shortName(name, maxLength);
}

/** Number of hexadecimal digits of a digest. */
const DIGITS = 8;

function shortName(name: string, maxLength: number): string {
  const start = name.slice(0, maxLength - DIGITS - 1).replaceAll(/[^\w-]/g, '_');
  return `${start}_${createHash('sha256').update(name).digest('hex').slice(0, DIGITS)}`;
}

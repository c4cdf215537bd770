import type { Adapter, AdapterContext, AdapterPlugin, OutboundRequest } from '../../core/adapter.js';
import { silentLog } from '../../core/log.js';
import { valueAt, withValues } from '../../core/pointer.js';
import { Problem } from '../../core/problem.js';
import type { CompileSchema } from '../../core/schema.js';
import { Secret } from '../../core/secret.js';

/** Abilities of the host that the contract uses. */
export interface ContractTools {
  readonly compile: CompileSchema;
  /** Text of a file; throws when there is none. */
  readonly readText: (file: string) => string;
  /** The value of a YAML text; `undefined` when it is none. */
  readonly parseYaml: (text: string) => unknown;
}

/** What the plugin's schema has against options as an operator writes them; nothing when they are valid. */
export function optionFaults(
  plugin: AdapterPlugin,
  options: unknown,
  { compile }: ContractTools,
): readonly unknown[] {
  return compile(plugin.options)(structuredClone(options)).violations;
}

/** The options as the host hands them over: defaults filled in, strings marked `x-secret` in a `Secret`. */
export function resolvedOptions(
  plugin: AdapterPlugin,
  options: unknown,
  { compile }: ContractTools,
): unknown {
  const written = structuredClone(options);
  const { secrets } = compile(plugin.options)(written);
  return withValues(written, new Map(secrets.map((at) => [at, new Secret(String(valueAt(written, at)))])));
}

/** An adapter of the plugin, and the requests that it tried to send by itself. */
export function createdAdapter(
  plugin: AdapterPlugin,
  options: unknown,
  tools: ContractTools,
): { readonly adapter: Adapter; readonly requests: readonly OutboundRequest[] } {
  const { context, requests } = recordingContext();
  return { adapter: plugin.create(resolvedOptions(plugin, options, tools), context), requests };
}

/** A context whose way out leads nowhere, and which keeps what was tried. */
export function recordingContext(): {
  readonly context: AdapterContext;
  readonly requests: readonly OutboundRequest[];
} {
  const requests: OutboundRequest[] = [];
  const send = (request: OutboundRequest): Promise<never> => {
    requests.push(request);
    return Promise.reject(new Problem('upstream_unreachable', 'nobody there'));
  };
  return { context: { name: 'contract', log: silentLog, send }, requests };
}

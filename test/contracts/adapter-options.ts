import type { AdapterPlugin } from '../../src/domain/adapter.js';
import { valueAt, withValues } from '../../src/domain/pointer.js';
import { Secret } from '../../src/domain/secret.js';
import { compileSchema } from '../../src/json-schema/compile.js';

/** What the plugin's schema has against options as an operator writes them; nothing when they are valid. */
export function optionFaults(plugin: AdapterPlugin, options: unknown): readonly unknown[] {
  return compileSchema(plugin.options)(structuredClone(options)).violations;
}

/** The options as the host hands them over: defaults filled in, strings marked `x-secret` in a `Secret`. */
export function resolvedOptions(plugin: AdapterPlugin, options: unknown): unknown {
  const written = structuredClone(options);
  const { secrets } = compileSchema(plugin.options)(written);
  return withValues(written, new Map(secrets.map((at) => [at, new Secret(String(valueAt(written, at)))])));
}

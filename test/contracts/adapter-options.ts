import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AdapterPlugin } from '../../src/domain/adapter.js';
import { withValues } from '../../src/domain/pointer.js';
import { Secret } from '../../src/domain/secret.js';

/** What the plugin's schema has against options as an operator writes them; nothing when they are valid. */
export function optionFaults(plugin: AdapterPlugin, options: unknown): readonly unknown[] {
  return judge(plugin, options).faults;
}

/** The options as the host hands them over: defaults filled in, strings marked `x-secret` in a `Secret`. */
export function resolvedOptions(plugin: AdapterPlugin, options: unknown): unknown {
  const written = structuredClone(options);
  const { secrets } = judge(plugin, written);
  return withValues(written, secrets);
}

function judge(plugin: AdapterPlugin, options: unknown) {
  const secrets = new Map<string, Secret>();
  const ajv = new Ajv2020({ allErrors: true, strict: true, useDefaults: true });
  ajv.addKeyword({
    ...{ keyword: 'x-secret', type: 'string', schema: false },
    validate: (value: string, at: { instancePath: string }) =>
      secrets.set(at.instancePath, new Secret(value)).size > 0,
  });
  const validate = ajv.compile(plugin.options);
  return { faults: validate(options) ? [] : (validate.errors ?? []), secrets };
}

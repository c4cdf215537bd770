import { asAdapterSettings } from '../../src/config/adapter-schema.js';
import { Secret } from '../../src/core/secret.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { valueAt, withValues } from '../../src/json/pointer.js';
import { adapterSchema, type AdapterSettings } from '../../src/settings/adapter.js';

/** The keys of an adapter file as an operator writes them. */
export type WrittenAdapter = Readonly<Record<string, unknown>>;

/**
 * Parses settings as an operator writes them: applies the defaults of the schema and wraps secrets in
 * `Secret`. Throws the faults that the schema finds.
 */
export function adapterSettings(written: WrittenAdapter): AdapterSettings {
  const value: unknown = structuredClone({ plugin: 'http-rest', ...written });
  const { violations, secrets } = compileSchema(adapterSchema)(value);
  if (violations.length > 0)
    throw new Error(violations.map(({ pointer, message }) => `${pointer} ${message}`).join('; '));
  const wrapped = secrets.map((pointer) => [pointer, new Secret(String(valueAt(value, pointer)))] as const);
  return asAdapterSettings(withValues(value, new Map(wrapped)));
}

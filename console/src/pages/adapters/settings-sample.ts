/** The part of a JSON Schema from which a first draft of settings is generated. */
export interface SettingsSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SettingsSchema | boolean>>;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly else?: SettingsSchema;
  readonly oneOf?: readonly SettingsSchema[];
}

/** Default values of keys that nearly every adapter needs, even if its schema does not require these keys. */
const COMMON_SETTINGS: Readonly<Record<string, unknown>> = {
  baseUrl: 'https://orchestrator.example:8443',
  auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/NAME#password' },
};

/**
 * Returns a first draft of an adapter's settings: required keys, and keys that nearly every adapter needs;
 * secrets as references.
 */
export function sampleSettings(schema: SettingsSchema, name: string): Readonly<Record<string, unknown>> {
  const properties = schema.properties ?? {};
  const common = Object.keys(COMMON_SETTINGS).filter((key) => Object.hasOwn(properties, key));
  const keys = [...new Set([...(schema.required ?? []), ...(schema.else?.required ?? []), ...common])];
  const known = keys.filter((key) => key !== 'plugin' && Object.hasOwn(properties, key));
  const text = JSON.stringify(
    Object.fromEntries(known.map((key) => [key, COMMON_SETTINGS[key] ?? sampleOf(properties[key])])),
  );
  const settings: unknown = JSON.parse(
    text.replaceAll('NAME', name === '' ? 'name' : name.replaceAll(/["\\ ]/g, '-')),
  );
  return settings as Readonly<Record<string, unknown>>;
}

function sampleOf(schema: SettingsSchema | boolean | undefined): unknown {
  if (typeof schema !== 'object') return null;
  const declared = [schema.const, schema.default, schema.examples?.[0], schema.enum?.[0]].find(
    (value) => value !== undefined,
  );
  if (declared !== undefined) return declared;
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  return EMPTY_VALUES[type ?? '']?.() ?? objectOf(schema);
}

const EMPTY_VALUES: Readonly<Record<string, () => unknown>> = {
  string: () => '',
  boolean: () => false,
  integer: () => 0,
  number: () => 0,
  array: () => [],
};

function objectOf({ required = [], properties = {} }: SettingsSchema): unknown {
  return Object.fromEntries(required.map((key) => [key, sampleOf(properties[key])]));
}

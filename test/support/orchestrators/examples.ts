import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CISCO } from './cisco.js';
import type { OrchestratorDefinition } from './definition.js';
import { OTHERS } from './others.js';

/** The folder of the checked-in examples. */
const EXAMPLES = fileURLToPath(new URL('../../../../config/examples/', import.meta.url));

/** Orchestrators that the examples are tested against. */
export const ORCHESTRATORS: readonly OrchestratorDefinition[] = [...CISCO, ...OTHERS];

/** Names of the checked-in examples, without `.yaml`. */
export function exampleNames(): readonly string[] {
  return readdirSync(EXAMPLES).flatMap((name) => (name.endsWith('.yaml') ? [name.slice(0, -5)] : []));
}

/** Text of a checked-in example. */
export function readExample(name: string): string {
  return readFileSync(`${EXAMPLES}${name}.yaml`, 'utf8');
}

/** Returns the path and field of the single secret reference in an example. */
export function secretOf(text: string): { readonly path: string; readonly field: string } {
  const references = [...text.matchAll(/\$VAULT_([^#\s]+)#(\w+)/g)];
  const [[, path = '', field = ''] = []] = references;
  if (references.length !== 1 || field === '') throw new Error('an example names one secret');
  return { path, field };
}

/** An example with its host and its CA replaced, and nothing else. */
export function pointedAt(text: string, { url, caFile }: { readonly url: string; readonly caFile: string }) {
  const [, origin = ''] = /^baseUrl: (https:\/\/[^/\s]+)/m.exec(text) ?? [];
  if (origin === '') throw new Error('an example has a base URL with https');
  const moved = text.replaceAll(origin, url);
  const pointed = moved.replace(/caFile: \S+/, `caFile: ${caFile}`);
  return pointed === moved ? `${moved}tls: { caFile: ${caFile} }\n` : pointed;
}

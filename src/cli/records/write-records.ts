import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeYaml } from '../../config/yaml.js';
import { isJsonObject } from '../../json/json-object.js';
import { createFolder } from '../../lib/create-folder.js';
import type { ManagedRecord, RecordKind } from './record-kind.js';

/** Writes the records of a kind as YAML, one file for each. Replaces files with the same names. Returns their paths. */
export async function writeRecords(
  folder: string,
  kind: RecordKind,
  records: readonly ManagedRecord[],
): Promise<readonly string[]> {
  const target = join(folder, kind.folder);
  createFolder(target);
  // File systems may not distinguish upper and lower case.
  const paths = new Map<string, string>();
  for (const { name, value } of records) {
    const path = [fileName(name), withDigest(name)]
      .map((stem) => join(target, `${stem}.yaml`))
      .find((one) => !paths.has(one.toLowerCase()));
    if (path === undefined) throw new Error(`Two records of ${target} have the name "${name}".`);
    paths.set(path.toLowerCase(), path);
    await writeFile(path, writeYaml(withoutVariables(value)));
  }
  return [...paths.values()];
}

/** Returns a value whose texts are read without variables: `$${` is read as `${`. */
function withoutVariables(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', '$$${');
  if (Array.isArray(value)) return value.map(withoutVariables);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutVariables(member)]));
}

/** Maximum length of the name of a file, without its extension. */
const MAX_STEM = 200;

/** Returns the name of a file for any name: other characters than those of an adapterId are percent-encoded. */
function fileName(name: string): string {
  const stem = encoded(name).replace(/^\./, '%2E');
  return stem.length > MAX_STEM ? withDigest(name) : stem;
}

/** Returns the name of a file that no other name has: long names may begin alike. */
function withDigest(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
  let start = '';
  for (const character of name) {
    const next = start + encoded(character);
    if (next.length + 1 + digest.length > MAX_STEM) break;
    start = next;
  }
  return `${start.replace(/^\./, '%2E')}-${digest}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', ' ')
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

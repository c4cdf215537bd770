import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocument, type WrittenDocument } from '../../config/document.js';
import { readText } from '../../config/read-text.js';
import { writeYaml } from '../../config/yaml.js';
import { ConfigError, type Fault, faultAt } from '../../core/fault.js';
import { isJsonObject } from '../../json/json-object.js';
import type { CommandIo } from '../command.js';
import { adapterRecords } from './adapter-records.js';
import { formRecords } from './form-records.js';
import { profileRecords } from './profile-records.js';
import type { ManagedRecord, RecordKind } from './record-kind.js';

/** Kinds in the order of their changes: a profile may name new adapters. */
export const RECORD_KINDS: readonly RecordKind[] = [adapterRecords, profileRecords, formRecords];

export interface DeclaredRecord extends ManagedRecord {
  readonly kind: RecordKind;
  readonly file: string;
}

const EXTENSION = /\.(?:yaml|yml|json)$/;

/**
 * Reads the records in the folders of all kinds, with the environment variables of {@link VARIABLE_PREFIX} that they name. Throws a ConfigError
 * with all faults. A folder that does not exist declares no records of its kind.
 */
export async function readRecords(folder: string, env: CommandIo['env']): Promise<readonly DeclaredRecord[]> {
  const variables = ofRecords(env);
  const results = await Promise.all(
    RECORD_KINDS.map(async (kind) => {
      const files = await filesOf(join(folder, kind.folder));
      return files.map((file) => readRecord(kind, file, variables));
    }),
  );
  const read = results.flat();
  const records = read.flatMap((one) => ('record' in one ? [one.record] : []));
  const faults = [...read.flatMap((one) => ('faults' in one ? one.faults : [])), ...repeatedNames(records)];
  if (faults.length > 0) throw new ConfigError(faults);
  return records;
}

export async function declaredKinds(folder: string): Promise<readonly RecordKind[]> {
  const names = await readdir(folder);
  return RECORD_KINDS.filter((kind) => names.includes(kind.folder));
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => EXTENSION.test(name) && !name.startsWith('.'))
    .sort()
    .map((name) => join(folder, name));
}

type ReadRecord = { readonly record: DeclaredRecord } | { readonly faults: readonly Fault[] };

function readRecord(kind: RecordKind, file: string, env: CommandIo['env']): ReadRecord {
  const text = readText(file);
  if (!('text' in text)) return { faults: [text] };
  const document = readDocument(text, env, kind.keepsNumbers);
  const foreign = foreignVariables(document);
  if (foreign.length > 0) return { faults: foreign };
  if (document.faults.length > 0) return { faults: document.faults };
  const { value } = document;
  const name = isJsonObject(value) ? value[kind.nameMember] : undefined;
  if (isJsonObject(value) && typeof name === 'string' && name !== '')
    return { record: { kind, name, value, file } };
  const fault = {
    code: 'schema',
    message: `is missing: each file has one ${kind.title}`,
    fix: `Write the name of the ${kind.title} in "${kind.nameMember}".`,
  };
  return { faults: [faultAt(document, `/${kind.nameMember}`, fault)] };
}

/** Start of the names of the variables that records may name. */
const VARIABLE_PREFIX = 'GATEHOUSE_RECORD_';

/** Returns the variables that records may name: who proposes a record must not read the others of the pipeline by it. */
function ofRecords(env: CommandIo['env']): CommandIo['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith(VARIABLE_PREFIX)));
}

/** Returns a fault for each text with a variable of another name. */
function foreignVariables(document: WrittenDocument): readonly Fault[] {
  return [...(document.insertions ?? [])].flatMap(([pointer, { names }]) => {
    const name = names.find((one) => !one.startsWith(VARIABLE_PREFIX));
    if (name === undefined) return [];
    const message = `names the variable ${name}; records may name variables that start with ${VARIABLE_PREFIX}`;
    const fix = `Rename it to ${VARIABLE_PREFIX}${name}, also in the pipeline, or write $\${ for a literal "\${".`;
    return [faultAt(document, pointer, { code: 'env', message, fix })];
  });
}

function repeatedNames(records: readonly DeclaredRecord[]): readonly Fault[] {
  const files = new Map<string, string>();
  return records.flatMap(({ kind, name, file }): readonly Fault[] => {
    const key = `${kind.folder}/${name}`;
    const first = files.get(key);
    files.set(key, first ?? file);
    if (first === undefined) return [];
    const message = `has the ${kind.title} "${name}", which is also in ${first}`;
    const fix = 'Remove one of the two files.';
    return [{ file, line: 0, column: 0, pointer: `/${kind.nameMember}`, code: 'name', message, fix }];
  });
}

/** Writes the records of a kind as YAML, one file for each. Replaces files with the same names. Returns their paths. */
export async function writeRecords(
  folder: string,
  kind: RecordKind,
  records: readonly ManagedRecord[],
): Promise<readonly string[]> {
  const target = join(folder, kind.folder);
  await mkdir(target, { recursive: true });
  const paths: string[] = [];
  for (const { name, value } of records) {
    const path = join(target, `${fileName(name)}.yaml`);
    await writeFile(path, writeYaml(withoutVariables(value)));
    paths.push(path);
  }
  return paths;
}

/** Returns a value whose texts are read without variables: `$${` is read as `${`. */
function withoutVariables(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', '$$${');
  if (Array.isArray(value)) return value.map(withoutVariables);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutVariables(member)]));
}

/** Returns the name of a file for any name: other characters than those of an adapterId are percent-encoded. */
function fileName(name: string): string {
  return encodeURIComponent(name)
    .replaceAll('%20', ' ')
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/^\./, '%2E')
    .slice(0, 200);
}

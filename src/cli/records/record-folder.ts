import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readDocument, type WrittenDocument } from '../../config/document.js';
import { profileSchema } from '../../config/profile-schema.js';
import { readText } from '../../config/read-text.js';
import { type AdapterDocument, writtenDocument } from '../../core/adapter-document.js';
import { ConfigError, type Fault, faultAt } from '../../core/fault.js';
import type { JsonSchema } from '../../core/schema.js';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import { didYouMean } from '../../lib/closest-name.js';
import { omit } from '../../lib/omit.js';
import type { CommandIo } from '../lib/command.js';
import { checkAdapterRecord, checkFormRecord, checkProfileRecord } from './check-records.js';
import type { DeclaredRecord, RecordKind } from './record-kind.js';
import { componentRecords, ruleRecords } from './record-kinds.js';

/** Profiles. Which of them is active is state of the server, and no part of the files. */
const profileRecords: RecordKind = {
  folder: 'profiles',
  title: 'profile',
  nameMember: 'id',
  complete: ['/services', '/egress', '/roles', '/access', '/forms', '/log'],
  normalize: (value) => value,
  written: (value) => withoutDefaults(omit(value, '_id'), profileSchema),
  check: checkProfileRecord,
  ...componentRecords({ path: '/profiles', member: 'profile', nameMember: 'id' }),
};

/** Returns an object without the members that have the default of the schema. */
function withoutDefaults(value: JsonObject, schema: JsonSchema): JsonObject {
  const known = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const members = Object.entries(value).map(([name, member]): [string, unknown, JsonSchema] => {
    const own = Object.hasOwn(known, name) ? (known[name] ?? {}) : {};
    return [name, isJsonObject(member) ? withoutDefaults(member, own) : member, own];
  });
  return Object.fromEntries(
    members
      .filter(([, member, own]) => !('default' in own && isDeepStrictEqual(member, own['default'])))
      .map(([name, member]) => [name, member]),
  );
}

const PATH = '/json-forms/forms';

/** Members that the server writes. */
const OWN_MEMBERS = [
  ...['id', '_id', 'created', 'createdBy', 'createdByIssuer', 'createdByName'],
  ...['lastUpdated', 'lastUpdatedBy', 'lastUpdatedByIssuer', 'lastUpdatedByName'],
  ...['version', 'bindingGrant'],
];

/** JSON forms. A form is found by its name. */
const formRecords: RecordKind = {
  folder: 'forms',
  title: 'form',
  nameMember: 'name',
  keepsNumbers: true,
  complete: ['/struct', '/schema', '/uiSchema', '/bindingSchema', '/validationSchema', '/tags'],
  normalize: (value) => omit(value, ...OWN_MEMBERS),
  written: (value) =>
    Object.fromEntries(Object.entries(omit(value, ...OWN_MEMBERS)).filter(([, member]) => !isEmpty(member))),
  check: checkFormRecord,
  async list(client) {
    const forms = await client.list(PATH);
    return forms.map((form) => ({ name: String(form['name']), id: String(form['id']), value: form }));
  },
  async create({ client }, { value }) {
    await client.send({ method: 'POST', path: PATH, body: omit(value, ...OWN_MEMBERS) });
  },
  async update({ client }, { value }, { id = '' }) {
    const body = { options: omit(value, ...OWN_MEMBERS) };
    await client.send({ method: 'PUT', path: `${PATH}/${id}`, body });
  },
  async remove({ client }, { id = '' }) {
    await client.send({ method: 'DELETE', path: PATH, body: { ids: [id] } });
  },
};

/** Returns true for the value of a member that a new form has without it. */
function isEmpty(member: unknown): boolean {
  return member === '' || (typeof member === 'object' && member !== null && Object.keys(member).length === 0);
}

/** Prefix of the plugins of the product in replies; requests may leave it out. */
const OWN_MODEL = /^@gatehouse\/adapter-/;

/** Adapters that were registered through the API. */
const adapterRecords: RecordKind = {
  folder: 'adapters',
  title: 'adapter',
  nameMember: 'name',
  complete: ['/properties/properties', '/properties/brokers', '/properties/groups', '/properties/tags'],
  normalize({ model, ...rest }) {
    return { ...rest, ...(typeof model === 'string' && { model: model.replace(OWN_MODEL, '') }) };
  },
  // The levels in loggerProps are state of the server: they may be set for a time.
  written: (value) =>
    isAdapterDocument(value)
      ? (writtenDocument({
          ...value,
          model: value.model.replace(OWN_MODEL, ''),
          loggerProps: {},
        }) as JsonObject)
      : value,
  check: checkAdapterRecord,
  ...componentRecords({ path: '/adapters', member: 'data', nameMember: 'name' }),
};

function isAdapterDocument(value: JsonObject): value is JsonObject & AdapterDocument {
  const { model, properties } = value;
  return (
    typeof model === 'string' &&
    isJsonObject(properties) &&
    Array.isArray(properties['brokers']) &&
    Array.isArray(properties['groups'])
  );
}

/** Kinds in the order of their changes: a profile may name new adapters. */
export const RECORD_KINDS: readonly RecordKind[] = [
  adapterRecords,
  profileRecords,
  formRecords,
  ruleRecords('access-rules', 'access rule', '/access/rules'),
  ruleRecords('limits', 'limit', '/limits'),
];

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

/** Returns a warning for each folder with records, or with a similar name, that is not the folder of a kind. */
export async function ignoredFolders(folder: string): Promise<readonly string[]> {
  const known = RECORD_KINDS.map((kind) => kind.folder);
  const entries = await readdir(folder, { withFileTypes: true });
  const others = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => !known.some((one) => one === name));
  const warnings = await Promise.all(
    others.map(async (name) => {
      const suggestion = didYouMean(name, known);
      if (suggestion === '' && (await filesOf(join(folder, name))).length === 0) return [];
      const kinds = suggestion === '' ? `; the folders are ${known.join(', ')}` : suggestion;
      return [`warning: ${join(folder, name)} is ignored: it is not the folder of a kind${kinds}`];
    }),
  );
  return warnings.flat();
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
  const document = readDocument(text, env, { keepsNumbers: kind.keepsNumbers, takesAnyName: true });
  const foreign = foreignVariables(document);
  if (foreign.length > 0) return { faults: foreign };
  if (document.faults.length > 0) return { faults: document.faults };
  const { value } = document;
  const name = isJsonObject(value) ? value[kind.nameMember] : undefined;
  if (isJsonObject(value) && typeof name === 'string' && name !== '')
    return { record: { kind, name, value, file, document } };
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

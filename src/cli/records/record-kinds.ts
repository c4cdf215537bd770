import { isJsonObject, type JsonObject, ownMember, memberOf } from '../../json/json-object.js';
import { mapConcurrently } from '../../lib/map-concurrently.js';
import { omit } from '../../lib/omit.js';
import { ruleCheck } from './check-records.js';
import type { ManagementClient } from './management-client.js';
import type { RecordKind, ServerRecord } from './record-kind.js';

/** Maximum number of requests at a time. */
const CONCURRENCY = 8;

interface ComponentPaths {
  readonly path: string;
  /** Member of a reply that has the document. */
  readonly member: string;
  readonly nameMember: string;
}

/** Creates the operations of a kind that the platform's management API handles: adapters and profiles. */
export function componentRecords({
  path,
  member,
  nameMember,
}: ComponentPaths): Pick<RecordKind, 'list' | 'create' | 'update' | 'remove'> {
  const at = (name: string): string => `${path}/${encodeURIComponent(name)}`;
  const read = async (client: ManagementClient, name: string): Promise<ServerRecord> => {
    const { value, etag } = await client.send({ method: 'GET', path: at(name) });
    const document = ownMember(value, member);
    if (!isJsonObject(document)) throw new Error(`${at(name)} has no member "${member}"`);
    // Only records of the store have an entity tag.
    return { name, value: document, etag, isInFile: etag === undefined };
  };
  const commentOf = (comment: string | undefined): JsonObject => (comment === undefined ? {} : { comment });
  return {
    async list(client) {
      const entries = await client.list(path);
      const names = entries.map((entry) => String(ownMember(entry[member], nameMember)));
      return mapConcurrently(names, CONCURRENCY, (name) => read(client, name));
    },
    async create({ client, comment }, { value }) {
      await client.send({ method: 'POST', path, body: { properties: value, ...commentOf(comment) } });
    },
    async update({ client, comment }, { name, value }, { etag }) {
      const properties = omit(value, nameMember);
      const body = { properties, ...commentOf(comment) };
      await client.send({ method: 'PUT', path: at(name), body, etag });
    },
    async remove({ client, comment }, { name, etag }) {
      const query = comment === undefined ? '' : `?comment=${encodeURIComponent(comment)}`;
      await client.send({ method: 'DELETE', path: at(name) + query, etag });
    },
  };
}

/** Creates a kind of rules: access rules or limits. A file describes a rule completely, with its name. */
export function ruleRecords(folder: 'access-rules' | 'limits', title: string, path: string): RecordKind {
  const at = (name: string): string => `${path}/${encodeURIComponent(name)}`;
  const bodyOf = (value: JsonObject, comment: string | undefined): JsonObject => ({
    properties: omit(value, 'name'),
    ...(comment !== undefined && { comment }),
  });
  return {
    folder,
    title,
    nameMember: 'name',
    complete: [''],
    normalize: (value) => value,
    written: (value) => value,
    check: ruleCheck(path),
    async list(client) {
      const rules = await client.list(path);
      const isStored = (rule: JsonObject): boolean => ownMember(rule['origin'], 'kind') === 'record';
      const stored = new Set(rules.filter(isStored).map(({ name }) => name));
      // A rule of a file hides a stored rule of its name, which can change here all the same.
      return rules
        .filter((rule) => isStored(rule) || !stored.has(rule['name']))
        .map((rule) => {
          const { name, revision } = rule;
          const document = memberOf(rule, 'rule');
          return {
            name: String(name),
            value: { name: String(name), ...(isJsonObject(document) && document) },
            isInFile: !isStored(rule),
            ...(typeof revision === 'number' && { etag: `"${revision}"` }),
          };
        });
    },
    async create({ client, comment }, { name, value }) {
      await client.send({ method: 'PUT', path: at(name), body: bodyOf(value, comment), isNew: true });
    },
    async update({ client, comment }, { name, value }, { etag }) {
      await client.send({ method: 'PUT', path: at(name), body: bodyOf(value, comment), etag });
    },
    async remove({ client, comment }, { name, etag }) {
      const query = comment === undefined ? '' : `?comment=${encodeURIComponent(comment)}`;
      await client.send({ method: 'DELETE', path: at(name) + query, etag });
    },
  };
}

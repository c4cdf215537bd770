import { isJsonObject, type JsonObject, memberOf, ownMember } from '../../json/json-object.js';
import { omit } from '../../lib/omit.js';
import { ruleCheck } from './check-records.js';
import type { RecordKind } from './record-kind.js';

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

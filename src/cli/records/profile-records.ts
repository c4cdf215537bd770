import { isDeepStrictEqual } from 'node:util';
import { profileSchema } from '../../config/profile-schema.js';
import type { JsonSchema } from '../../core/schema.js';
import { isJsonObject, type JsonObject } from '../../json/json-object.js';
import { omit } from '../../lib/omit.js';
import { componentRecords } from './component-records.js';
import type { RecordKind } from './record-kind.js';

/** Profiles. Which of them is active is state of the server, and no part of the files. */
export const profileRecords: RecordKind = {
  folder: 'profiles',
  title: 'profile',
  nameMember: 'id',
  complete: ['/services', '/egress', '/roles', '/access', '/forms', '/log'],
  normalize: (value) => value,
  written: (value) => withoutDefaults(omit(value, '_id'), profileSchema),
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

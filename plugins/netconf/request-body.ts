import { isJsonObject } from '../../src/json/json-object.js';
import { parseJson } from '../../src/json/strict-json.js';
import type { DataChildren, DataDefinition } from '../../src/yang/document/data-definition.js';
import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { elementOf } from '../../src/yang/encoding/json-to-xml.js';
import type { XmlOutput } from '../../src/yang/encoding/write-xml.js';
import { refused } from './replies.js';

/** Returns the only member of a JSON object in the body of a request. Throws RestconfFault. */
export function onlyMember(body: Buffer | undefined): readonly [name: string, value: unknown] {
  const parsed = parseJson(body ?? Buffer.alloc(0));
  if ('fault' in parsed) throw refused(400, 'malformed-message', `the body ${parsed.fault.message}`);
  const members = isJsonObject(parsed.value) ? Object.entries(parsed.value) : [];
  const [member, ...others] = members;
  if (!member || others.length > 0)
    throw refused(400, 'malformed-message', 'the body must be an object with one member');
  return member;
}

/** One instance in a body, and its definition. */
export interface BodyInstance {
  readonly definition: DataDefinition;
  readonly element: XmlOutput;
}

/**
 * Returns the instance in a body: the value of the only member, or the only entry of its array for a list. Throws RestconfFault and
 * EncodingFault.
 */
export function instanceIn(
  body: Buffer | undefined,
  children: DataChildren,
  model: InstanceModel,
): BodyInstance {
  const [name, value] = onlyMember(body);
  const definition = children.byQualifiedName.get(name);
  const lacking = children.byMember.get(name);
  if (!definition && lacking)
    throw refused(400, 'malformed-message', `"${name}" must be "${lacking.qualified}" (RFC 7951 section 4)`);
  if (!definition) {
    const known = children.list.slice(0, 20).map(({ qualified }) => qualified);
    throw refused(
      400,
      'unknown-element',
      `the body has "${name}"; here may be ${known.join(', ') || 'nothing'}`,
    );
  }
  const place = `/${name}`;
  const { kind } = definition.node;
  if (kind !== 'list' && kind !== 'leaf-list')
    return { definition, element: elementOf(value, definition, { model, place, isConfiguration: true }) };
  if (!Array.isArray(value)) throw refused(400, 'invalid-value', `"${name}" must be an array with one entry`);
  const entries: readonly unknown[] = value;
  if (entries.length !== 1)
    throw refused(400, 'malformed-message', `"${name}" must be an array with one entry`);
  const at = { model, place: `${place}/0`, isConfiguration: true };
  return { definition, element: elementOf(entries[0], definition, at) };
}

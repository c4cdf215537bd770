import { isJsonObject, type JsonObject, memberOf } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import type { DataChildren, DataDefinition } from '../document/data-definition.js';
import { keysOf } from '../tree/schema-node.js';
import { EncodingFault, type InstanceModel } from './instance-model.js';
import { leafToXml } from './leaf-values.js';
import { isXmlText, type XmlOutput } from './write-xml.js';

/**
 * Returns the elements of the members of a JSON object (RFC 7951), in the order of the schema and with the keys of a list first
 * (RFC 7950 section 7.8.5). Throws EncodingFault for a member or value that the model does not have.
 */
export function elementsOf(
  object: unknown,
  children: DataChildren,
  { model, place = '', isConfiguration = false }: JsonSource,
): readonly XmlOutput[] {
  if (!isJsonObject(object)) throw new EncodingFault(place, 'must be an object');
  for (const member of Object.keys(object))
    if (!children.byMember.has(member)) throw unknownMember(member, children, place);
  return children.list.flatMap((definition) =>
    Object.hasOwn(object, definition.member)
      ? instancesOf(memberOf(object, definition.member), definition, {
          model,
          place: pointerTo(place, definition.member),
          isConfiguration,
        })
      : [],
  );
}

function unknownMember(member: string, { list }: DataChildren, place: string): EncodingFault {
  if (member.startsWith('@'))
    return new EncodingFault(
      pointerTo(place, member),
      'is metadata, which is not supported',
      'unknown-element',
    );
  const named = list.find(({ qualified, node }) => qualified === member || node.name === member);
  const message = named
    ? `must be named "${named.member}" (RFC 7951 section 4)`
    : 'is no node of the model here';
  return new EncodingFault(pointerTo(place, member), message, 'unknown-element');
}

/** Model of JSON data, the place of the data, and whether it must be configuration. */
interface JsonSource {
  readonly model: InstanceModel;
  /** RFC 6901 pointer; default: the root. */
  readonly place?: string;
  /** True to refuse state, which no client may write. */
  readonly isConfiguration?: boolean;
}

type Place = JsonSource & { readonly place: string };

/** Returns the elements of a member: one, or one for each entry of an array. */
function instancesOf(value: unknown, definition: DataDefinition, at: Place): readonly XmlOutput[] {
  const { kind } = definition.node;
  if (kind !== 'list' && kind !== 'leaf-list') return [elementOf(value, definition, at)];
  if (!Array.isArray(value)) throw new EncodingFault(at.place, 'must be an array');
  return value.map((entry: unknown, index) =>
    elementOf(entry, definition, { ...at, place: pointerTo(at.place, index) }),
  );
}

/** Returns the element of a value: of a container, a list entry, a leaf or a leaf-list entry. Throws EncodingFault. */
export function elementOf(value: unknown, definition: DataDefinition, at: Place): XmlOutput {
  const { node, children } = definition;
  const { name } = node;
  const { namespace } = node.module;
  if (at.isConfiguration === true && !node.config)
    throw new EncodingFault(at.place, 'is state, not configuration', 'unknown-element');
  switch (node.kind) {
    case 'leaf':
    case 'leaf-list': {
      const { text: content, prefixes } = leafToXml(definition, value, at);
      if (!isXmlText(content)) throw new EncodingFault(at.place, 'has a character that XML cannot contain');
      return { namespace, name, prefixes, content };
    }
    case 'anydata':
    case 'anyxml':
      return { namespace, name, content: anyContent(value, namespace, at) };
    case 'list':
      return { namespace, name, content: keysFirst(elementsOf(value, children, at), keysOf(node), at.place) };
    default:
      return { namespace, name, content: elementsOf(value, children, at) };
  }
}

/** Returns the elements of a list entry with the keys first. Throws EncodingFault if a key is missing. */
function keysFirst(
  elements: readonly XmlOutput[],
  keys: readonly string[],
  place: string,
): readonly XmlOutput[] {
  const found = keys.map((key) => {
    const element = elements.find(({ name }) => name === key);
    if (!element)
      throw new EncodingFault(
        pointerTo(place, key),
        'is a key of the list, and is missing',
        'missing-element',
      );
    return element;
  });
  return [...found, ...elements.filter((element) => !found.includes(element))];
}

/** Returns content without a schema. */
function anyContent(value: unknown, namespace: string, at: Place): string | readonly XmlOutput[] {
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, child]) => anyElements(name, child, { ...at, namespace }));
  if (typeof value === 'string' && isXmlText(value)) return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new EncodingFault(at.place, 'cannot be written as XML');
}

function anyElements(
  member: string,
  value: JsonObject[string],
  at: Place & { readonly namespace: string },
): readonly XmlOutput[] {
  const [, module, name] = /^(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)$/.exec(member) ?? [];
  const place = pointerTo(at.place, member);
  const namespace = module === undefined ? at.namespace : at.model.moduleByName.get(module)?.namespace;
  if (name === undefined || namespace === undefined)
    throw new EncodingFault(place, 'has a name of no known module');
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => ({ namespace, name, content: anyContent(one, namespace, { ...at, place }) }));
}

import type { Names } from '../modules/yang-module.js';
import { childOf, type Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';

/**
 * Formats of typedefs whose definition accepts no other value than the format (RFC 6991, RFC 9911). Addresses
 * with a zone index have no format. A `uri` may be empty, so its format is `uri-reference`.
 */
const FORMATS: Readonly<Record<string, string>> = {
  'ietf-yang-types:date-and-time': 'date-time',
  'ietf-yang-types:date-no-zone': 'date',
  'ietf-yang-types:uuid': 'uuid',
  'ietf-inet-types:ipv4-address-no-zone': 'ipv4',
  'ietf-inet-types:ipv6-address-no-zone': 'ipv6',
  'ietf-inet-types:uri': 'uri-reference',
};

/** Returns the `format` of a string type, from the typedefs that it is derived from. */
export function formatOf({ typedef }: YangType, names: Names): { readonly format?: string } {
  for (let next = typedef; next; next = baseTypedef(next, names)) {
    const format = FORMATS[`${names.unitOf(next).module.name}:${next.argument}`];
    if (format !== undefined) return { format };
  }
  return {};
}

function baseTypedef(typedef: Statement, names: Names): Statement | undefined {
  const type = childOf(typedef, 'type');
  return type && names.definition('typedef', type, type.argument);
}

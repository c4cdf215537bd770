import { valueAt } from '../../src/json/pointer.js';
import type { Json } from '../../test/support/yang-documents/generate.js';
import type { CheckedModule } from './compare.js';

/** Differences to yanglint that are intended, each with its reason; see docs/reference/yang-mapping.md. */
export const EXPLAINED: readonly (readonly [reason: string, is: (one: CheckedModule) => boolean])[] = [
  [
    'libyang has special code for the typedef node-instance-identifier, whose YANG allows any string',
    ({ theirs = '' }) => /Invalid instance-identifier .*(?:nacm|system-capabilities)/.test(theirs),
  ],
  [
    'libyang requires that the target of an instance-identifier exists in the schema, also in a union; our schema has a warning instead',
    ({ ours, theirs = '' }) =>
      ours === undefined && /Invalid union value "\/|Invalid instance-identifier/.test(theirs),
  ],
  [
    'libyang reads 64-bit numbers with leading zeros, as octal; RFC 7951 documents have decimal numbers',
    ({ ours = '', theirs }) => theirs === undefined && ours.includes('must match pattern "^(?:-0|'),
  ],
  [
    'libyang 2.1 checks the pattern of date-and-time alone; RFC 6991 demands a date and time of the calendar',
    ({ ours = '', theirs }) =>
      theirs === undefined && /is no (?:date of the calendar|time of the day)$/.test(ours),
  ],
  [
    'libyang checks IPv6 addresses by code in the revision 2013-07-15 of ietf-inet-types alone',
    ({ ours = '', theirs, document }) =>
      theirs === undefined &&
      (/is no IPv6 (?:address|prefix)$/.test(ours) ||
        (ours.includes('of the union') && hasZeroInIpv4(valueAtComplaint(ours, document)))),
  ],
  [
    'libyang sets the bits after an IPv6 prefix to zero in the revision 2013-07-15 of ietf-inet-types alone; RFC 6991 demands it of the canonical form, by which keys are equal',
    ({ ours = '', theirs, document }) =>
      theirs === undefined && ours.startsWith('key ') && hasIpv6Prefix(valueAtComplaint(ours, document)),
  ],
  [
    'libyang 2.1 accepts no comparison with an absent number; by XPath 1.0 it is NaN, and not(1 > NaN) is true',
    ({ ours, theirs = '' }) =>
      ours === undefined && theirs.includes('admin-cycle-time must not be greater than supported-cycle-max'),
  ],
  [
    'libyang reads an absent node in the predicate of a key as an empty key; by XPath 1.0 section 3.4 no entry matches it',
    ({ ours = '', theirs }) =>
      theirs === undefined &&
      ours.startsWith('require-instance ') &&
      ours.includes('[name=current()/../publisher]'),
  ],
  [
    'libyang refuses data when derived-from() names an identity that does not exist; gatehouse warns of it when it compiles, and the function is false',
    ({ ours, theirs = '' }) => ours === undefined && /Identity "[^"]*" not found in module/.test(theirs),
  ],
  [
    'libyang leaves an empty container out of its case; a written one is a node of the case, in which RFC 7950 section 7.9.4 demands the mandatory nodes',
    ({ ours = '', theirs, document }) =>
      theirs === undefined &&
      /^(?:choice|mandatory|min-elements) /.test(ours) &&
      isInEmptyContainer(ours, document),
  ],
  [
    'libyang does not compare the values of state; a leaf-list of YANG 1.0 has no value twice (RFC 6020 section 7.7)',
    ({ ours = '', theirs, document }) =>
      theirs === undefined && ours.endsWith(' in its value') && hasEqualEntry(ours, document),
  ],
];

/** Returns true for a complaint about what is missing in an empty container. */
function isInEmptyContainer(complaint: string, document: Json): boolean {
  const pointer = complaint.split(' ', 2)[1] ?? '';
  const container = complaint.startsWith('choice ') ? pointer : pointer.replace(/\/[^/]*$/, '');
  return JSON.stringify(valueAt(document, container)) === '{}';
}

/** Returns true if an array has the value that the complaint is about twice, as it is written. */
function hasEqualEntry(complaint: string, document: Json): boolean {
  const pointer = complaint.split(' ', 2)[1] ?? '';
  const entries = valueAt(document, pointer.replace(/\/[^/]*$/, ''));
  const value = valueAt(document, pointer);
  return Array.isArray(entries) && entries.filter((entry) => entry === value).length > 1;
}

/** Returns true for an IPv6 address whose IPv4 part has an octet with a leading zero. */
function hasZeroInIpv4(value: unknown): boolean {
  return typeof value === 'string' && /:(?:\d+\.)*0\d/.test(value);
}

/** Returns true if an entry has an IPv6 prefix. */
function hasIpv6Prefix(entry: unknown): boolean {
  return /:[^"]*\/\d/.test(JSON.stringify(entry));
}

/** Returns the value at the JSON Pointer in a complaint. */
function valueAtComplaint(complaint: string, document: Json): unknown {
  return valueAt(document, complaint.split(' ', 2)[1] ?? '');
}

import { hostname, release } from 'node:os';
import type { ExampleCall, ExampleWorld } from './example-calls.js';

/** Maximum number of items of a list in an example. */
const MAX_ITEMS = 2;

/** Texts of one run, with the texts that replace them in an example. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl'],
  [/127\.0\.0\.1:\d+/g, 'host.example'],
  [/localhost:\d+/g, 'host.example'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-25T12:00:00.000Z'],
  [/\b[0-9a-f]{64}\b/g, '0123456789abcdef'.repeat(4)],
  [/\b[0-9a-f]{24}\b/g, '0123456789abcdef01234567'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '01234567-89ab-cdef-0123-456789abcdef'],
];

/** Time of the examples, in milliseconds since 1970. */
const EXAMPLE_TIME = Date.UTC(2026, 10, 25, 12);

/** Returns true for a time, in milliseconds since 1970, that is less than a year ago or ahead. */
const isRecent = (value: number) => Math.abs(value - Date.now()) < 366 * 86_400_000;

/** Returns a value of a call as an example: without what is particular to one run, and with short lists. */
export function exampleValue(value: unknown, world: Pick<ExampleWorld, 'password' | 'folder'>): unknown {
  if (typeof value === 'string') return exampleText(value, world);
  if (typeof value === 'number') return isRecent(value) ? EXAMPLE_TIME : value;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => exampleValue(item, world));
  return mapMembers(value, (_name, member) => exampleValue(member, world));
}

function exampleText(text: string, { password, folder }: Pick<ExampleWorld, 'password' | 'folder'>): string {
  let result = text
    .replaceAll(password, 'a-long-password')
    .replaceAll(folder, '/etc/gatehouse')
    .replaceAll(hostname(), 'edge1')
    .replaceAll(release(), '6.12.0');
  for (const [pattern, replacement] of REPLACEMENTS) result = result.replaceAll(pattern, replacement);
  return result;
}

/** Free-form members that are too long for any example. */
const LONG_MEMBERS = ['loggerProps'];

/** Shortens the members of a reply that are too long for an example, at every depth, to their first entries. */
export function shortened(value: unknown, { shortens = [] }: Pick<ExampleCall, 'shortens'>): unknown {
  if (shortens.includes('')) return firstEntries(value);
  if (Array.isArray(value)) return value.map((item) => shortened(item, { shortens }));
  return mapMembers(value, (name, member) =>
    [...shortens, ...LONG_MEMBERS].includes(name) ? firstEntries(member) : shortened(member, { shortens }),
  );
}

/** Maximum number of members of a shortened object. */
const MAX_MEMBERS = 3;

/** Returns the first entries of a value, and of the values inside it. The entries of a list keep all their members. */
function firstEntries(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS);
  if (typeof value !== 'object' || value === null) return value;
  const first = Object.entries(value).slice(0, MAX_MEMBERS);
  return mapMembers(Object.fromEntries(first), (_name, member) => firstEntries(member));
}

function mapMembers(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(name, member)]));
}

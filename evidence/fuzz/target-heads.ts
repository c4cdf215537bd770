import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { ACCEPT_PATTERN, isJson, MEDIA_TYPE_LENGTH, MEDIA_TYPE_PATTERN } from '../../src/core/header.js';
import { queryList } from '../../src/http/list-query.js';
import { validateRequestHead } from '../../src/http/malformed-requests.js';
import { normalizeTarget, queryOf } from '../../src/http/target.js';
import { problemOf } from './verdict.js';

const MEDIA_TYPE = new RegExp(MEDIA_TYPE_PATTERN);
const ACCEPT = new RegExp(ACCEPT_PATTERN);

/** Asserts that an accepted media type can be written into a header unchanged. */
export function readAsMediaType(input: Buffer): void {
  const text = input.toString('latin1').slice(0, MEDIA_TYPE_LENGTH);
  isJson(text);
  const isTaken = MEDIA_TYPE.test(text);
  if (isTaken) assert.ok(ACCEPT.test(text));
  if (isTaken || ACCEPT.test(text)) assert.doesNotThrow(() => new Headers({ accept: text }));
}

/**
 * Asserts that a target is refused, or is normalized to a form that does not change when it is parsed again.
 */
export function readAsTarget(input: Buffer): void {
  const text = input.toString('latin1');
  const read = problemOf(() => normalizeTarget(text), 'malformed_request', 'uri_too_long');
  if (!read) return;
  assert.equal(normalizeTarget(read.value), read.value);
  queryOf(read.value);
}

/**
 * Asserts that a head is valid or has a fault; a head without exactly one host, or of another protocol, must
 * have a fault.
 */
export function readAsHead(input: Buffer): void {
  const [first = '', ...lines] = input.toString('latin1').split('\r\n');
  const pairs = lines.map((line) => line.split(/:[ \t]*/, 2)).filter((pair) => pair.length === 2);
  const { major, request } = requestOf(first, pairs);
  const fault = validateRequestHead(request as unknown as IncomingMessage);
  const hosts = pairs.filter(([name]) => name?.toLowerCase() === 'host').length;
  if (hosts !== 1 || major !== 1) assert.ok(fault);
}

/** Returns the request object that Node would create for the head. */
function requestOf(first: string, pairs: readonly (readonly string[])[]): { major: number; request: object } {
  const [method = 'GET', url = '/', version = ''] = first.split(' ');
  const headers: Record<string, string> = {};
  for (const [name = '', value = ''] of pairs) headers[name.toLowerCase()] ??= value;
  const [major = 1, minor = 1] = version.replace('HTTP/', '').split('.').map(Number);
  const protocol = { httpVersion: `${major}.${minor}`, httpVersionMajor: major, httpVersionMinor: minor };
  return { major, request: { method, url, headers, rawHeaders: pairs.flat(), ...protocol } };
}

const ITEMS = ['ada', 'Bob', 'eve'].map((name, at) => ({ name, at, tags: { deep: [at] } }));

/** The query of a list is refused, or answers a part of the list. */
export function readAsListQuery(input: Buffer): void {
  const query = new URLSearchParams(input.toString('latin1'));
  const read = problemOf(() => queryList(ITEMS, query, { nameOf: ({ name }) => name }), 'invalid_request');
  if (!read) return;
  const { results, total } = read.value;
  assert.ok(results.length <= total && total <= ITEMS.length);
  assert.ok(results.every((one) => ITEMS.includes(one)));
}

import assert from 'node:assert/strict';
import { bearerToken } from '../../src/auth/authenticate.js';
import { readBasic, readFormBasic } from '../../src/auth/basic-credentials.js';
import { RejectedToken } from '../../src/auth/rejected-token.js';
import { readToken } from '../../src/auth/token.js';
import { isJsonText } from '../../src/json/json-text.js';
import { parseJson } from '../../src/json/strict-json.js';
import { cookieValues } from '../../src/lib/cookie.js';
import { problemOf, resultOf } from './verdict.js';

/**
 * Asserts that a token is refused with a message that does not contain it, or is accepted in its only
 * encoding and with the meaning of its JSON.
 */
export function readAsToken(input: Buffer): void {
  const text = input.toString('latin1');
  const read = resultOf(() => readToken(text));
  if ('error' in read) {
    assert.ok([Error, RejectedToken].includes(read.error.constructor as typeof Error), read.error.stack);
    if (text.length > 60) assert.ok(!read.error.message.includes(text));
    return;
  }
  const parts = text.split('.').map((part) => Buffer.from(part, 'base64url'));
  assert.equal(parts.map((part) => part.toString('base64url')).join('.'), text);
  assert.deepEqual({ ...read.value.payload }, { ...(JSON.parse(String(parts[1])) as object) });
}

/** The header of a bearer token is refused as a Problem, or holds exactly the token. */
export function readAsBearer(input: Buffer): void {
  const text = input.toString('latin1');
  const read = problemOf(() => bearerToken(text), 'unauthorized');
  if (read) assert.equal(text.toLowerCase(), `bearer ${read.value.toLowerCase()}`);
}

/** Asserts that Basic credentials are refused, or are within the length limits and equal the encoded text. */
export function readAsBasic(input: Buffer): void {
  const text = input.toString('latin1');
  const read = readBasic(text);
  readFormBasic(text);
  if (!read) return;
  const decoded = Buffer.from(text.slice('basic '.length), 'base64').toString();
  assert.equal(`${read.name}:${read.password.reveal()}`, decoded);
}

/** The values of a cookie are pieces of the header without any sign that separates. */
export function readAsCookies(input: Buffer): void {
  const text = input.toString('latin1');
  for (const value of cookieValues(text, 'token')) {
    assert.ok(text.includes(`token=${value}`));
    assert.ok(!value.includes(';'));
  }
}

/**
 * Asserts that accepted JSON equals the result of JSON.parse, and that input that JSON.parse refuses is
 * refused.
 */
export function readAsJson(input: Buffer): void {
  const read = parseJson(input);
  const expected = resultOf(
    () => JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input)) as unknown,
  );
  if ('value' in read) assert.deepEqual({ value: read.value }, expected);
  const isUtf8 = input.equals(Buffer.from(input.toString()));
  if (isUtf8) assert.equal(isJsonText(input), 'value' in expected);
}

import { type JsonObject, ownMember } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import type { Reference } from '../reference.js';
import { SecretError, type SecretErrorCode } from '../secret-error.js';
import { type SecretValue, textOfBase64 } from '../secret-value.js';

/**
 * Returns the value that a reference names in a secret, by own members only. Throws `VAULT_FIELD_...` if no usable
 * value exists.
 */
export function extractField(data: JsonObject, reference: Reference): SecretValue {
  const field = reference.field ?? onlyField(data);
  const value =
    field.startsWith('/') && reference.field !== null ? valueAt(data, field) : ownMember(data, field);
  if (value === undefined) throw missingField(field, Object.keys(data).length);
  const scalar = requireScalar(value, field);
  return reference.encoding === 'base64' ? decodeBase64(scalar, field) : scalar;
}

function onlyField(data: JsonObject): string {
  const names = Object.keys(data);
  if (names.length === 1 && names[0] !== undefined) return names[0];
  if (names.includes('value')) return 'value';
  throw fieldError(
    'VAULT_FIELD_REQUIRED',
    `The secret has ${names.length} fields and the reference names no field`,
    'Add "#<field>" to the reference; only a secret with one field, or with a field "value", needs no field name.',
  );
}

function requireScalar(value: unknown, field: string): SecretValue {
  if (value === '') {
    const fix = 'Write the value to Vault; an empty credential is never used.';
    throw fieldError('VAULT_FIELD_EMPTY', `The field "${field}" is empty`, fix);
  }
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    const fix = 'Store the value as a string.';
    throw fieldError('VAULT_FIELD_NOT_SCALAR', `The field "${field}" is a number that JSON rounds`, fix);
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw fieldError(
    'VAULT_FIELD_NOT_SCALAR',
    `The field "${field}" is not a string, a number or a boolean`,
    'Name a value inside it with a JSON pointer, "#/<field>/<member>".',
  );
}

function decodeBase64(value: SecretValue, field: string): string {
  const text = typeof value === 'string' ? textOfBase64(value) : undefined;
  if (text !== undefined) return text;
  throw fieldError(
    'VAULT_FIELD_ENCODING',
    `The field "${field}" is not UTF-8 text in base64 (RFC 4648, section 4)`,
    'Store it with "base64 -w0", or leave "encoding=base64" out of the reference.',
  );
}

function missingField(field: string, count: number): SecretError {
  return fieldError(
    'VAULT_FIELD_MISSING',
    `The secret has no field "${field}"; it has ${count} ${count === 1 ? 'field' : 'fields'}`,
    // The names are not printed here, because callers of the API and readers of the log see this text.
    'Correct the field of the reference, or write the field to Vault; "gatehouse secrets check --show-fields" lists the fields of the secret.',
  );
}

function fieldError(code: SecretErrorCode, message: string, fix: string): SecretError {
  return new SecretError({ code, message, fix });
}

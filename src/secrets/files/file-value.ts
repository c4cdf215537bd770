import { isJsonObject, type JsonObject, ownMember } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import type { Reference } from '../reference.js';
import { SecretError, type SecretErrorCode } from '../secret-error.js';
import { type SecretValue, textOfBase64 } from '../secret-value.js';

/**
 * Returns the value that a reference names in a file: the whole text without one final line break, or a member of its
 * JSON object. Throws a {@link SecretError} with a code `FILE_...` if no usable value exists. No message contains a part
 * of the file.
 */
export function fileValue(text: string, { field, encoding }: Reference): SecretValue {
  const value = field === null ? text.replace(/\r?\n$/, '') : memberOf(text, field);
  if (value === '') {
    const code = field === null ? 'FILE_EMPTY' : 'FILE_FIELD_EMPTY';
    throw fileError(
      code,
      `The ${field === null ? 'file' : `member "${field}"`} is empty`,
      'Write the value; an empty credential is never used.',
    );
  }
  if (encoding === 'utf8') return value;
  const decoded = typeof value === 'string' ? textOfBase64(value) : undefined;
  if (decoded !== undefined) return decoded;
  throw fileError(
    'FILE_ENCODING',
    'The value is not UTF-8 text in base64 (RFC 4648, section 4)',
    'Write it with "base64 -w0", or leave "encoding=base64" out of the reference.',
  );
}

function memberOf(text: string, field: string): SecretValue {
  const document = parsed(text);
  const value = field.startsWith('/') ? valueAt(document, field) : ownMember(document, field);
  if (value === undefined)
    throw fileError(
      'FILE_FIELD_MISSING',
      `The file has no member "${field}"`,
      'Correct the member of the reference, or write the member to the file.',
    );
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw fileError(
    'FILE_FIELD_NOT_SCALAR',
    `The member "${field}" is not a string, a number that JSON keeps exactly, or a boolean`,
    'Name a value inside it with a JSON pointer, "#/<member>/<member>", or write it as a string.',
  );
}

function parsed(text: string): JsonObject {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    document = undefined;
  }
  if (isJsonObject(document)) return document;
  throw fileError(
    'FILE_NOT_JSON',
    'The reference names a member, and the file is not a JSON object',
    'Leave "#<member>" out of the reference to use the whole text, or write a JSON object to the file.',
  );
}

function fileError(code: SecretErrorCode, message: string, fix: string): SecretError {
  return new SecretError({ code, message, fix });
}

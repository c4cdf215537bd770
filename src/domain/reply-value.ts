import { headerOf } from './adapter.js';
import type { HttpReply } from './http.js';
import { isJson } from './media-type.js';
import type { RawJson } from './operation.js';
import { Problem } from './problem.js';

/** The body of a reply: JSON byte for byte when it says that it is JSON and is, else its text; an empty body is `""`. */
export function jsonOrText(reply: HttpReply): RawJson | string {
  const contentType = headerOf(reply.headers, 'content-type');
  const text = textOf(reply.body, contentType);
  return isJson(contentType) && parses(text) ? { rawJson: reply.body } : text;
}

/** The body as a plain value for a problem document: parsed JSON, else its text as well as it can be read. */
export function parsedOrText(reply: HttpReply): unknown {
  const text = reply.body.toString();
  return isJson(headerOf(reply.headers, 'content-type')) && parses(text)
    ? (JSON.parse(text) as unknown)
    : text;
}

/** A JSON object whose members are given values or JSON bytes, assembled without parsing those bytes. */
export function rawObject(members: Readonly<Record<string, unknown>>): RawJson {
  const parts = Object.entries(members).map(([name, value]) =>
    Buffer.concat([Buffer.from(`${JSON.stringify(name)}:`), bytesOf(value)]),
  );
  const separated = parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from(','), part]));
  return { rawJson: Buffer.concat([Buffer.from('{'), ...separated, Buffer.from('}')]) };
}

/** True for bytes that are JSON already. */
export function isRawJson(value: unknown): value is RawJson {
  return typeof value === 'object' && value !== null && 'rawJson' in value && Buffer.isBuffer(value.rawJson);
}

function bytesOf(value: unknown): Buffer {
  return isRawJson(value) ? value.rawJson : Buffer.from(JSON.stringify(value));
}

/** Throws `upstream_bad_reply` for bytes that are no text: a replacement character would lose them silently. */
function textOf(body: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset="?([\w.:-]+)"?/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new Problem('upstream_bad_reply', `the reply is not text in the character set ${charset}`, {
      cause,
    });
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

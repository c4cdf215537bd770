import type { UpstreamReply } from '../../core/adapter.js';
import { withoutByteOrderMark } from '../../json/byte-order-mark.js';
import { hasMoreValues } from '../../json/json-size.js';
import { valueAt } from '../../json/pointer.js';
import type { ModuleName, ServerModule } from '../../yang/index.js';
import { headingOf } from '../../yang/modules/library.js';

/** Returns the input of get-schema (RFC 6022 section 3.1). Without a format the reply is YANG. */
export function getSchemaInput({ name, revision }: ServerModule): Buffer {
  const input = { identifier: name, ...(revision !== undefined && { version: revision }) };
  return Buffer.from(JSON.stringify({ 'ietf-netconf-monitoring:input': input }));
}

/** Returns the text in a reply of get-schema; undefined without a text. */
export function schemaIn(reply: unknown): string | undefined {
  const text = valueAt(reply, '/ietf-netconf-monitoring:output/data');
  return typeof text === 'string' ? text : undefined;
}

/** Returns true for the text of this module, and of this revision if the name contains a revision. */
export function isTextOf(text: string, { name, revision }: ModuleName): boolean {
  const heading = headingOf(text);
  return heading?.name === name && (revision === undefined || heading.revision === revision);
}

/** Maximum size of JSON of an orchestrator that is parsed at once, in bytes: it may become twenty times as large. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
/** Maximum number of its members and elements; a library of 2,000 modules has 30,000. */
const MAX_JSON_VALUES = 50_000;

/** Returns the JSON of a body; undefined for anything else, and for a body of more than 4 MiB or 50,000 values. */
export function jsonBodyOf({ body }: UpstreamReply): unknown {
  if (body.length > MAX_JSON_BYTES || hasMoreValues(body, MAX_JSON_VALUES)) return undefined;
  try {
    return JSON.parse(withoutByteOrderMark(body).toString());
  } catch {
    return undefined;
  }
}

/** Returns the text of a body in UTF-8; undefined for other bytes. */
export function utf8Of(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

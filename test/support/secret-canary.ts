import { inflateRawSync } from 'node:zlib';

/** Place of a secret in searched bytes. */
interface Sighting {
  /** How the secret was written there. */
  readonly form: string;
  /** Byte offset. */
  readonly at: number;
}

/**
 * Finds a secret in bytes that left the process: raw and JSON-escaped (also twice), each unmodified,
 * URL-encoded, in base64 and base64url in all three alignments, in hex, and all of that inside gzip members.
 * It shares no code with the product.
 */
export function findCanary(canary: string, bytes: Buffer): readonly Sighting[] {
  const plain = formsOf(canary).flatMap(([form, text]) => sightings(bytes, form, text));
  const packed = gzipMembers(bytes).flatMap((member) =>
    findCanary(canary, member).map(({ form, at }) => ({ form: `${form}, gzip`, at })),
  );
  return [...plain, ...packed];
}

type Form = readonly [form: string, text: string];

/** Returns all encodings of a text that are searched for. */
export function formsOf(canary: string): readonly Form[] {
  const escaped = JSON.stringify(canary).slice(1, -1);
  const twice = JSON.stringify(escaped).slice(1, -1);
  return [
    ...encodedForms('raw', canary),
    ...encodedForms('JSON', escaped),
    ...encodedForms('JSON twice', twice),
  ];
}

function encodedForms(how: string, text: string): readonly Form[] {
  const encoded = encodeURIComponent(text);
  const hex = Buffer.from(text).toString('hex');
  const forms: readonly Form[] = [
    ['', text],
    ['URL', encoded],
    ['URL, lower case', encoded.replace(/%../g, (escape) => escape.toLowerCase())],
    ['form', encoded.replaceAll('%20', '+')],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ...[0, 1, 2].flatMap((shift) => base64Forms(text, shift)),
  ];
  return forms.map(([form, found]) => [`${how} ${form}`.trimEnd(), found]);
}

/** Returns the base64 forms at an alignment, without the characters that depend on adjacent bytes. */
function base64Forms(canary: string, shift: number): readonly Form[] {
  const text = Buffer.from('\0'.repeat(shift) + canary)
    .toString('base64')
    .replaceAll('=', '');
  const bits = (shift + Buffer.byteLength(canary)) * 8;
  const core = text.slice([0, 2, 3][shift], Math.floor(bits / 6));
  const url = core.replaceAll('+', '-').replaceAll('/', '_');
  return [
    [`base64 at ${shift}`, core],
    [`base64url at ${shift}`, url],
  ];
}

function sightings(bytes: Buffer, form: string, text: string): readonly Sighting[] {
  const at = bytes.indexOf(text);
  return at < 0 ? [] : [{ form, at }];
}

/** Returns the content of the gzip members in the bytes. */
export function gzipMembers(bytes: Buffer): readonly Buffer[] {
  const members: Buffer[] = [];
  for (let at = bytes.indexOf('1f8b08', 0, 'hex'); at >= 0; at = bytes.indexOf('1f8b08', at + 1, 'hex')) {
    try {
      // Skips a header without names; data after the member is ignored.
      members.push(inflateRawSync(bytes.subarray(at + 10)));
    } catch {
      // Three bytes that only look like the beginning of a member.
    }
  }
  return members;
}

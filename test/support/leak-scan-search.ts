import { formsOf, gzipMembers } from './secret-canary.js';

/** A secret that was found in the output. */
export interface Found {
  /** Place in the list of secrets. */
  readonly secret: number;
  readonly form: string;
  /** Byte offset. */
  readonly at: number;
}

/** Finds many secrets in large output; also searches the content of gzip members. */
export type Search = (bytes: Buffer) => readonly Found[];

interface Needle {
  readonly secret: number;
  readonly form: string;
  readonly bytes: Buffer;
}

/** Bytes that a needle is found by; every form of a secret is longer. */
const HEAD = 8;
const FILTER_BITS = 22;

/**
 * Prepares a search that reads the output once, for any number of secrets. Secrets must have at least 12
 * bytes.
 */
export function searchFor(secrets: readonly string[]): Search {
  const needles = new Map<string, Needle[]>();
  const filter = new Uint8Array(2 ** FILTER_BITS);
  secrets.forEach((text, secret) => {
    for (const [form, written] of formsOf(text)) {
      const bytes = Buffer.from(written);
      const head = bytes.toString('latin1', 0, HEAD);
      const same = needles.get(head) ?? [];
      if (same.some((known) => known.bytes.equals(bytes))) continue;
      needles.set(head, [...same, { secret, form, bytes }]);
      filter[slot(bytes, 0)] = 1;
    }
  });
  const search: Search = (bytes) => {
    const found: Found[] = [];
    for (let at = 0; at + HEAD <= bytes.length; at += 1) {
      if (filter[slot(bytes, at)] === 0) continue;
      for (const needle of needles.get(bytes.toString('latin1', at, at + HEAD)) ?? [])
        if (bytes.subarray(at, at + needle.bytes.length).equals(needle.bytes))
          found.push({ secret: needle.secret, form: needle.form, at });
    }
    return [...found, ...gzipMembers(bytes).flatMap(search)];
  };
  return search;
}

/** Returns the slot of eight bytes in the filter. */
function slot(bytes: Buffer, at: number): number {
  const mixed =
    Math.imul(bytes.readUInt32LE(at), 0x9e3779b1) ^ Math.imul(bytes.readUInt32LE(at + 4), 0x85ebca6b);
  return mixed >>> (32 - FILTER_BITS);
}

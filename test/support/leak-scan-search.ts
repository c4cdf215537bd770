import { formsOf, gzipMembers } from './secret-canary.js';

/** A secret that was found in the output. */
interface Found {
  /** Place in the list of secrets. */
  readonly secret: number;
  readonly form: string;
  /** Byte offset. */
  readonly at: number;
}

/** Finds many secrets in large output; also searches the content of gzip members. */
type Search = (bytes: Buffer) => readonly Found[];

interface Needle {
  readonly secret: number;
  readonly form: string;
  readonly bytes: Buffer;
}

/** A needle with the place of eight of its bytes. */
interface Candidate extends Needle {
  readonly shift: number;
}

/** Bytes that a needle is found by. */
const HEAD = 8;
/** Size of a word. Only every fourth byte is compared, with four places of each needle. */
const WORD = 4;
const FILTER_BITS = 22;

/**
 * Prepares a search that reads the output once, for any number of secrets. Secrets must have at least 12
 * bytes, so that each occurrence contains two aligned words.
 */
export function searchFor(secrets: readonly string[]): Search {
  const candidates = new Map<string, Candidate[]>();
  const filter = new Uint8Array(2 ** FILTER_BITS);
  for (const needle of needlesOf(secrets))
    for (let shift = 0; shift < WORD; shift += 1) {
      const head = needle.bytes.subarray(shift, shift + HEAD);
      const key = head.toString('latin1');
      candidates.set(key, [...(candidates.get(key) ?? []), { ...needle, shift }]);
      const [first = 0, second = 0] = wordsOf(Uint8Array.from(head));
      filter[slot(first, second)] = 1;
    }
  const search: Search = (bytes) => {
    const found: Found[] = [];
    const words = wordsOf(bytes);
    for (let index = 0; index + 1 < words.length; index += 1) {
      if (filter[slot(words[index] ?? 0, words[index + 1] ?? 0)] === 0) continue;
      const at = index * WORD;
      for (const { secret, form, bytes: needle, shift } of candidates.get(
        bytes.toString('latin1', at, at + HEAD),
      ) ?? []) {
        const start = at - shift;
        if (start >= 0 && bytes.subarray(start, start + needle.length).equals(needle))
          found.push({ secret, form, at: start });
      }
    }
    return [...found, ...gzipMembers(bytes).flatMap(search)];
  };
  return search;
}

/** Returns the different forms of all secrets. */
function needlesOf(secrets: readonly string[]): Iterable<Needle> {
  const needles = new Map<string, Needle>();
  secrets.forEach((text, secret) => {
    for (const [form, written] of formsOf(text))
      if (!needles.has(written)) needles.set(written, { secret, form, bytes: Buffer.from(written) });
  });
  return needles.values();
}

/** Returns the complete words of bytes. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % WORD === 0 ? bytes : Uint8Array.from(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / WORD));
}

/** Returns the slot of two words in the filter. */
function slot(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return mixed >>> (32 - FILTER_BITS);
}

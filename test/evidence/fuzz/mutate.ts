import type { Random } from '../yang/random.js';

/** What an input may be changed with. */
export interface Material {
  readonly corpus: readonly Buffer[];
  /** Pieces of the language. */
  readonly tokens: readonly string[];
  readonly random: Random;
}

const LONGEST = 4_096;
const ODD_BYTES = [
  0, 1, 9, 10, 13, 0x20, 0x22, 0x25, 0x27, 0x2e, 0x2f, 0x30, 0x3b, 0x5c, 0x7f, 0x80, 0xc0, 0xff,
];

/** An input of the corpus with one to five changes. */
export function mutate(material: Material): Buffer {
  const { corpus, random } = material;
  let input = random.pick(corpus) ?? Buffer.alloc(0);
  for (let left = 1 + Math.floor(random.next() * 5); left > 0; left -= 1) input = change(input, material);
  return input.subarray(0, LONGEST);
}

/** What stands in the place of how many bytes. */
interface Patch {
  readonly less: number;
  readonly more: Buffer;
}

const PATCHES: readonly ((input: Buffer, at: number, material: Material) => Patch)[] = [
  (input, at, { random }) => ({ less: 1, more: Buffer.of((input[at] ?? 0) ^ (1 << below(random, 8))) }),
  (_input, _at, { random }) => ({ less: 1, more: Buffer.of(below(random, 256)) }),
  (_input, _at, { random }) => ({ less: 0, more: Buffer.of(below(random, 256)) }),
  (_input, _at, { random }) => ({ less: below(random, 2), more: Buffer.of(random.pick(ODD_BYTES) ?? 0) }),
  (_input, _at, { random }) => ({ less: 1 + below(random, 8), more: Buffer.alloc(0) }),
  (input, at, { random }) => ({ less: 0, more: input.subarray(at, at + 1 + below(random, 32)) }),
  (_input, _at, { random, tokens }) => ({
    less: below(random, 3),
    more: Buffer.from(random.pick(tokens) ?? ''),
  }),
  (input, at, { random, corpus }) => {
    const other = random.pick(corpus) ?? input;
    return { less: input.length - at, more: other.subarray(below(random, other.length + 1)) };
  },
];

function change(input: Buffer, material: Material): Buffer {
  const { random } = material;
  const at = below(random, input.length + 1);
  const patch = random.pick(PATCHES)?.(input, at, material);
  if (!patch) return input;
  return Buffer.concat([input.subarray(0, at), patch.more, input.subarray(at + patch.less)]);
}

function below(random: Random, bound: number): number {
  return Math.floor(random.next() * bound);
}

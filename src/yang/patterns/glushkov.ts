/**
 * Position automaton of a regular expression: one state for each character set in the expression, and an edge between
 * two states if one character can follow the other.
 */
export interface PositionAutomaton {
  /** Sample characters that each state accepts, as bits. */
  readonly sets: readonly bigint[];
  /** Number of ways in which a state follows another one, by state. */
  readonly follow: readonly ReadonlyMap<number, number>[];
}

/** Maximum number of states. Larger expressions are not analyzed. */
const MAX_STATES = 200;

/** Characters that decide whether two character sets overlap: ASCII, and letters and a mark beyond. */
const SAMPLES = [
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  '\t',
  '\n',
  '\u00e9',
  '\u0416',
  '\u4e2d',
  '\u0301',
];

interface Part {
  readonly nullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const EMPTY: Part = { nullable: true, first: [], last: [] };

/**
 * Returns the automaton of an expression in the syntax of ECMAScript; undefined for look-around and for a large
 * expression. A finite number of repetitions counts as one, because it adds no loop.
 */
export function positionAutomaton(source: string): PositionAutomaton | undefined {
  const builder = new AutomatonBuilder(source);
  return builder.build();
}

class TooComplex extends Error {}

class AutomatonBuilder {
  readonly #source: string;
  readonly #sets: bigint[] = [];
  readonly #follow: Map<number, number>[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  build(): PositionAutomaton | undefined {
    try {
      this.#alternatives();
      return { sets: this.#sets, follow: this.#follow };
    } catch (error) {
      if (error instanceof TooComplex) return undefined;
      throw error;
    }
  }

  #alternatives(): Part {
    let all = this.#sequence();
    while (this.#source[this.#at] === '|') {
      this.#at += 1;
      const next = this.#sequence();
      all = {
        nullable: all.nullable || next.nullable,
        first: [...all.first, ...next.first],
        last: [...all.last, ...next.last],
      };
    }
    return all;
  }

  #sequence(): Part {
    let all = EMPTY;
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      const next = this.#repeated(this.#atom());
      this.#connect(all.last, next.first);
      all = {
        nullable: all.nullable && next.nullable,
        first: all.nullable ? [...all.first, ...next.first] : all.first,
        last: next.nullable ? [...all.last, ...next.last] : next.last,
      };
    }
    return all;
  }

  #repeated(part: Part): Part {
    const [text, min, max] = /^(?:[*+?]|\{(\d+)(,\d*)?\})/.exec(this.#source.slice(this.#at)) ?? [];
    if (text === undefined) return part;
    this.#at += text.length;
    if (text === '*' || text === '+' || max === ',') this.#connect(part.last, part.first);
    return { ...part, nullable: part.nullable || text === '*' || text === '?' || min === '0' };
  }

  #atom(): Part {
    const rest = this.#source.slice(this.#at);
    if (/^[\^$]/.test(rest)) {
      this.#at += 1;
      return EMPTY;
    }
    if (rest.startsWith('(')) {
      if (/^\(\?[^:]/.test(rest)) throw new TooComplex();
      this.#at += rest.startsWith('(?:') ? 3 : 1;
      const inner = this.#alternatives();
      this.#at += 1;
      return inner;
    }
    const [text = ''] = ATOM.exec(rest) ?? [];
    if (text === '' || this.#sets.length >= MAX_STATES) throw new TooComplex();
    this.#at += text.length;
    const state = this.#sets.push(sampleSet(text)) - 1;
    this.#follow.push(new Map());
    return { nullable: false, first: [state], last: [state] };
  }

  #connect(last: readonly number[], first: readonly number[]): void {
    for (const from of last) {
      const edges = this.#follow[from];
      for (const to of first) edges?.set(to, (edges.get(to) ?? 0) + 1);
    }
  }
}

/** A character class, an escape, or one character. */
const ATOM =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|[^])/u;

function sampleSet(atom: string): bigint {
  const expression = new RegExp(`^(?:${atom})$`, 'u');
  return SAMPLES.reduce((set, text, at) => (expression.test(text) ? set | (1n << BigInt(at)) : set), 0n);
}

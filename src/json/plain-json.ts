const [QUOTE, COMMA, COLON, MINUS, ZERO, NINE] = [0x22, 0x2c, 0x3a, 0x2d, 0x30, 0x39];
const [DOT, LOWER_E, UPPER_E] = [0x2e, 0x65, 0x45];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Number of decimal digits that every double represents. */
export const MAX_EXACT_DIGITS = 15;

/**
 * Scans well-formed JSON in one pass, and makes no object for the objects in it. The text must have no escapes, so that every
 * quote begins or ends a string.
 */
export class PlainScan {
  names = 0;
  /** Text of the wanted member of the outermost object; undefined until its end, and if the object has no such member. */
  memberText: string | undefined;
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #member: string | undefined;
  #at = 0;
  #depth = 0;
  /** Start and end of the latest string. */
  #from = 0;
  #end = 0;
  /** Start of the wanted member while the scan is in it; 0: it is not. */
  #memberFrom = 0;

  constructor(text: string, maxDepth: number, member: string | undefined) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#member = member;
  }

  /**
   * Reads the text to its end. Returns false at more than `maxDepth` levels, and at a number other than an integer of at most
   * {@link MAX_EXACT_DIGITS} digits.
   */
  run(): boolean {
    const { length } = this.#text;
    while (this.#at < length) if (!this.#pass(this.#text.charCodeAt(this.#at))) return false;
    return true;
  }

  #pass(code: number): boolean {
    if (code === QUOTE) return this.#passString();
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#passNumber();
    if (code === COLON) this.#beginMember();
    else if (code === COMMA) this.#endMember();
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) this.#depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#close();
    this.#at += 1;
    return this.#depth <= this.#maxDepth;
  }

  #passString(): true {
    this.#from = this.#at + 1;
    this.#end = this.#text.indexOf('"', this.#from);
    this.#at = this.#end + 1;
    return true;
  }

  #passNumber(): boolean {
    this.#at = endOfInteger(this.#text, this.#at);
    return this.#at > 0;
  }

  #beginMember(): void {
    this.names += 1;
    const member = this.#member;
    const isWanted =
      this.#depth === 1 &&
      member?.length === this.#end - this.#from &&
      this.#text.startsWith(member, this.#from);
    if (isWanted) this.#memberFrom = this.#at + 1;
  }

  #endMember(): void {
    if (this.#depth !== 1 || this.#memberFrom === 0) return;
    this.memberText = this.#text.slice(this.#memberFrom, this.#at).trim();
    this.#memberFrom = 0;
  }

  #close(): void {
    this.#endMember();
    this.#depth -= 1;
  }
}

/** Returns the end of an integer of at most {@link MAX_EXACT_DIGITS} digits, which a double keeps; 0 for any other number. */
export function endOfInteger(text: string, start: number): number {
  const from = text.charCodeAt(start) === MINUS ? start + 1 : start;
  let at = from;
  let code = text.charCodeAt(at);
  while (code >= ZERO && code <= NINE) code = text.charCodeAt((at += 1));
  const isInteger = code !== DOT && code !== LOWER_E && code !== UPPER_E;
  return isInteger && at - from <= MAX_EXACT_DIGITS ? at : 0;
}

/** Returns the number of members in a value that `JSON.parse` has returned: of its objects, and of all objects in them. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = values === value ? 0 : values.length;
  for (const item of values) if (typeof item === 'object') count += countMembers(item);
  return count;
}

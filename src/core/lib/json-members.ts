const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** How brackets and braces change the depth. */
const DEPTH_STEPS: ReadonlyMap<number, number> = new Map([
  [0x5b, 1],
  [0x5d, -1],
  [0x7b, 1],
  [0x7d, -1],
]);

/**
 * Returns the JSON text of an object with the values of some members replaced by empty objects. The rest of the text is
 * unchanged, and nothing is parsed: the values may be large. The text must be the valid JSON of an object.
 */
export function withEmptyMembers(json: string, names: ReadonlySet<string>): string {
  let result = '';
  let copied = 0;
  for (const { name, start, end } of membersOf(json)) {
    if (!names.has(name)) continue;
    result += `${json.slice(copied, start)}{}`;
    copied = end;
  }
  return result + json.slice(copied);
}

/** A member of an object: its name, and where the text of its value is. */
interface TextMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function* membersOf(json: string): Generator<TextMember> {
  let [depth, start]: [number, number] = [0, 0];
  let name: string | undefined;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    depth += DEPTH_STEPS.get(code) ?? 0;
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (depth === 1) name ??= JSON.parse(json.slice(at, end)) as string;
      at = end - 1;
    } else if (name === undefined || depth > 1) continue;
    else if (code === COLON) start = at + 1;
    else if (code === COMMA || depth === 0) {
      yield { name, start, end: at };
      name = undefined;
    }
  }
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); ; at = json.indexOf('"', at + 1)) {
    if (at < 0) return json.length;
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}

/** A string, an empty list or object, a punctuation character, or any other token. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Formats JSON with one line for each member. Tokens stay unchanged: numbers keep all digits, members their
 * order. A text that is not JSON is returned unchanged.
 */
export function prettyJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  let depth = 0;
  const line = (change: number): string => {
    depth += change;
    return `\n${'  '.repeat(depth)}`;
  };
  const written: Readonly<Record<string, (token: string) => string>> = {
    '{': (token) => token + line(1),
    '[': (token) => token + line(1),
    '}': (token) => line(-1) + token,
    ']': (token) => line(-1) + token,
    ',': (token) => token + line(0),
    ':': () => ': ',
  };
  return (text.match(TOKEN) ?? [])
    .map((token) => written[token]?.(token) ?? (/^[{[]/.test(token) ? token.replace(/\s/g, '') : token))
    .join('');
}

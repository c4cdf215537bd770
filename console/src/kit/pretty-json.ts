/** A string, an empty list or object, a sign, or anything else. */
const TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON with a line for each member, its tokens as they were: numbers keep all digits, members their order. What is no JSON comes
 * back as it was.
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

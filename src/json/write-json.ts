import { isJsonObject } from './json-object.js';
import { pointerTo } from './pointer.js';

/**
 * Returns the text of `JSON.stringify(value, null, indent)`, with each `bigint` as a number. A value without JSON, such as
 * undefined, becomes `null`.
 */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value ?? null, null, indent);
  } catch (error) {
    // Every engine names the type in its message. Another value without JSON may refer to itself.
    if (!(error instanceof TypeError && error.message.includes('BigInt'))) throw error;
    return write(value, ' '.repeat(indent), '') ?? 'null';
  }
}

/** Returns the pointer to the first `bigint` in a JSON value; undefined if there is none. */
export function pointerToBigInt(value: unknown): string | undefined {
  if (typeof value === 'bigint') return '';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = pointerToBigInt(member);
    if (found !== undefined) return pointerTo('', name) + found;
  }
  return undefined;
}

/** Writes a value as `JSON.stringify` does; undefined for a value without JSON. `before` is the indentation of its line. */
function write(value: unknown, indent: string, before: string): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) {
    const inner = before + indent;
    return enclosed(
      '[]',
      value.map((item) => write(item, indent, inner) ?? 'null'),
      { indent, before },
    );
  }
  if (!isJsonObject(value) || typeof value['toJSON'] === 'function') return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = write(member, indent, before + indent);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${indent && ' '}${text}`];
  });
  return enclosed('{}', members, { indent, before });
}

interface Layout {
  readonly indent: string;
  readonly before: string;
}

function enclosed(brackets: '[]' | '{}', parts: readonly string[], { indent, before }: Layout): string {
  if (parts.length === 0) return brackets;
  const [line, end] = indent === '' ? ['', ''] : [`\n${before}${indent}`, `\n${before}`];
  return `${brackets[0]}${line}${parts.join(`,${line}`)}${end}${brackets[1]}`;
}

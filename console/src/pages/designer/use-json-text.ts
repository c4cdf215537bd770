import { useEffect, useState } from 'react';
import { createEchoFilter } from '../../kit/ignore-own-events.js';

interface JsonTextOptions {
  /** The value of a valid text. */
  readonly value: unknown;
  /** True if a parsed value is allowed. */
  readonly accepts: (found: unknown) => boolean;
  readonly onChange: (value: unknown) => void;
}

/** Edits a value as JSON text. An invalid text stays local and leaves the value unchanged. */
export function useJsonText({ value, accepts, onChange }: JsonTextOptions): {
  readonly json: string;
  readonly write: (json: string) => void;
} {
  const [json, setJson] = useState(() => jsonText(value));
  const [echoFilter] = useState(createEchoFilter<unknown>);
  useEffect(() => {
    if (echoFilter.isEcho(value)) return;
    // Something else changed the value: a button, a property, or undo.
    setJson((now) => (isSameJson(parsedOr(now, undefined), value) ? now : jsonText(value)));
  }, [echoFilter, value]);
  const write = (next: string): void => {
    setJson(next);
    const found = parsedOr(next, undefined);
    if (found === undefined || !accepts(found) || isSameJson(found, echoFilter.latest() ?? value)) return;
    echoFilter.notify(found);
    onChange(found);
  };
  return { json, write };
}

/** Formats a value as editable text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Returns the parsed value of a text; a default if it is not valid JSON. */
export function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

/** True if two values have the same JSON text. */
function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

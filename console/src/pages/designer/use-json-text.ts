import { useEffect, useState } from 'react';
import { createEchoes } from '../../kit/ignore-own-events.js';
import { isSameJson, jsonText, parsedOr } from './json-texts.js';

export interface JsonTextOptions {
  /** The value of a valid text. */
  readonly value: unknown;
  /** True if a parsed value is allowed. */
  readonly accepts: (found: unknown) => boolean;
  readonly onChange: (value: unknown) => void;
}

/** Edits a value as JSON text. An invalid text stays local and leaves the value unchanged. */
export function useJsonText({ value, accepts, onChange }: JsonTextOptions): {
  readonly text: string;
  readonly write: (text: string) => void;
} {
  const [text, setText] = useState(() => jsonText(value));
  const [echoes] = useState(createEchoes<unknown>);
  useEffect(() => {
    if (echoes.isEcho(value)) return;
    // The value was changed elsewhere: by a button, a property, or undo.
    setText((now) => (isSameJson(parsedOr(now, undefined), value) ? now : jsonText(value)));
  }, [echoes, value]);
  const write = (next: string): void => {
    setText(next);
    const found = parsedOr(next, undefined);
    if (found === undefined || !accepts(found) || isSameJson(found, echoes.latest() ?? value)) return;
    echoes.notify(found);
    onChange(found);
  };
  return { text, write };
}

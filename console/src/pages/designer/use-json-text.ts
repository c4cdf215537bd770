import { useEffect, useState } from 'react';
import { createEchoes } from '../../kit/ignore-own-events.js';
import { isSameJson, jsonText, parsedOr } from './json-texts.js';

export interface JsonTextOptions {
  /** What the text says when it is right. */
  readonly value: unknown;
  /** Whether something that was written may be the value. */
  readonly accepts: (found: unknown) => boolean;
  readonly onChange: (value: unknown) => void;
}

/** A value as a text that one edits. While that is no JSON it stays here alone, and the value as it was. */
export function useJsonText({ value, accepts, onChange }: JsonTextOptions): {
  readonly text: string;
  readonly write: (text: string) => void;
} {
  const [text, setText] = useState(() => jsonText(value));
  const [echoes] = useState(createEchoes<unknown>);
  useEffect(() => {
    if (echoes.isEcho(value)) return;
    // Somebody changed it elsewhere: by a button, a property, or by taking a step back.
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

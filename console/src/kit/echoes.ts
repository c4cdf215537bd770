/** What an editor has told the page and not yet been handed back by it. */
export interface Echoes<Value> {
  /** The last that was told and has not come back; undefined when all has. */
  readonly latest: () => Value | undefined;
  readonly tell: (value: Value) => void;
  /** True for what comes back: the editor has it already, or something newer. Anything else is news for the editor. */
  readonly isEcho: (value: Value) => boolean;
}

/**
 * Keeps an editor from taking its own former text for news. A page draws a moment after the editor has told it something; who types
 * on meanwhile would find the newer letters gone.
 */
export function createEchoes<Value>(): Echoes<Value> {
  let told: readonly Value[] = [];
  return {
    latest: () => told.at(-1),
    tell: (value) => {
      told = [...told, value];
    },
    isEcho: (value) => {
      const at = told.indexOf(value);
      // News end the waiting: what was told before them does not count any more.
      told = at < 0 ? [] : told.slice(at + 1);
      return at >= 0;
    },
  };
}

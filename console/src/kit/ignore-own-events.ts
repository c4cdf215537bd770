/** What an editor has told the page and not yet been handed back by it. */
export interface OwnEventFilter<Value> {
  /** The last that was told and has not come back; undefined when all has. */
  readonly latest: () => Value | undefined;
  readonly notify: (value: Value) => void;
  /** True for what comes back: the editor has it already, or something newer. Anything else is news for the editor. */
  readonly isEcho: (value: Value) => boolean;
}

/**
 * Keeps an editor from taking its own former text for news. A page draws a moment after the editor has told it something; who types
 * on meanwhile would find the newer letters gone.
 */
export function createEchoes<Value>(): OwnEventFilter<Value> {
  let reported: readonly Value[] = [];
  return {
    latest: () => reported.at(-1),
    notify: (value) => {
      reported = [...reported, value];
    },
    isEcho: (value) => {
      const at = reported.indexOf(value);
      // News end the waiting: what was told before them does not count any more.
      reported = at < 0 ? [] : reported.slice(at + 1);
      return at >= 0;
    },
  };
}

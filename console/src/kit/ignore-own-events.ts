/** Recognizes values that an editor reported to the page and that the page passes back to the editor. */
export interface EchoFilter<Value> {
  /** Returns the last reported value; undefined after the page has passed it back. */
  readonly latest: () => Value | undefined;
  readonly notify: (value: Value) => void;
  /**
   * True for a value that the editor reported itself. Any other value is new for the editor.
   */
  readonly isEcho: (value: Value) => boolean;
}

/**
 * Creates a filter for values that an editor reported itself. The page renders shortly after the editor
 * reports a change; without the filter, the older text would overwrite letters that were typed in the
 * meantime.
 */
export function createEchoFilter<Value>(): EchoFilter<Value> {
  let reported: readonly Value[] = [];
  return {
    latest: () => reported.at(-1),
    notify: (value) => {
      reported = [...reported, value];
    },
    isEcho: (value) => {
      const at = reported.indexOf(value);
      // A reported value confirms all earlier values. An unknown value discards all reported values.
      reported = at < 0 ? [] : reported.slice(at + 1);
      return at >= 0;
    },
  };
}

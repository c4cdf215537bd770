/** Values that an editor has reported to the page and not received back yet. */
export interface OwnEventFilter<Value> {
  /** Returns the value that was reported last and has not come back; undefined if there is none. */
  readonly latest: () => Value | undefined;
  readonly notify: (value: Value) => void;
  /**
   * True for a value that comes back: the editor already has it, or a newer one. Any other value is new for
   * the editor.
   */
  readonly isEcho: (value: Value) => boolean;
}

/**
 * Prevents that an editor takes its own older text for a new value. A page renders a moment after the editor
 * has reported a change; without this, letters typed meanwhile would be lost.
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
      // A value that comes back confirms all values reported before it; an unknown value discards all of
      // them.
      reported = at < 0 ? [] : reported.slice(at + 1);
      return at >= 0;
    },
  };
}

/** Events that end a press, and those that show that its end was missed. */
const ENDS = ['mouseup', 'dragend', 'mousedown', 'keydown', 'keyup'] as const;

/**
 * Runs the effect of leaving a control. While a mouse button or a finger is down, waits for its release, and runs
 * before the click: what moves on the page during a press takes the pressed button away from the pointer, and the
 * press does nothing.
 */
export function afterPress(run: () => void): void {
  // An element is active while it is pressed.
  if (document.querySelector(':active') === null) {
    run();
    return;
  }
  const listening = new AbortController();
  const end = () => {
    listening.abort();
    run();
  };
  for (const type of ENDS) window.addEventListener(type, end, { capture: true, signal: listening.signal });
}

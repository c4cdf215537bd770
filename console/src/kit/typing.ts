const EDITORS = 'input, textarea, select, [contenteditable=true], [role=textbox], [role=combobox]';
const BUTTON_INPUTS = 'input:is([type=checkbox], [type=radio], [type=button], [type=submit], [type=range])';

/** Returns true if a key that is pressed in this target is typed text, and not a command. */
export function isTypingIn(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(EDITORS) !== null && !target.matches(BUTTON_INPUTS);
}

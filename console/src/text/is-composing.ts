/** Event of a key, in the library of the pages or of the task pages. */
interface KeyEvent {
  readonly key: string;
  readonly nativeEvent: { readonly isComposing: boolean };
}

/** Returns true while an input method, as for Japanese, composes a text: Enter and Escape are for it, not for the page. */
export function isComposing({ key, nativeEvent }: KeyEvent): boolean {
  return nativeEvent.isComposing || key === 'Process';
}

/** Returns a text with a full stop, unless it ends with a mark of a sentence. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Returns a message with its fix as a further sentence. */
export function withFix({ message, fix }: { readonly message: string; readonly fix: string }): string {
  return fix === '' ? message : `${sentence(message)} ${fix}`;
}

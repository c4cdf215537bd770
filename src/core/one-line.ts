/**
 * Returns a text of an orchestrator on one line of limited length. A text that is too long loses its last word as well,
 * because the beginning of a secret would not be recognized as the secret.
 */
export function oneLine(text: string, maxLength: number): string {
  const kept = text.length > maxLength ? text.slice(0, maxLength).replace(/[\x21-\x7e]+$/, '') : text;
  return kept.replaceAll(/\s+/g, ' ').trim();
}

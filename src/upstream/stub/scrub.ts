import type { Redact } from '../../core/redactor.js';
import { rewriteJson } from './rewrite-json.js';
import { isSecretName, MASKED } from './secret-name.js';
import { scrubText } from './scrub-text.js';

/** Maximum nesting of texts in texts, for example JSON in a JSON string; deeper texts are masked. */
const DEEPEST = 8;

/**
 * Removes known secrets and the values of secret names from an orchestrator's text. JSON remains valid, and
 * masked values keep their type: a text becomes `[redacted]`, a number 0, a list or an object empty.
 */
export function scrubBody(text: string, redact: Redact, depth = 0): string {
  if (depth > DEEPEST) return MASKED;
  const known = withoutKnown(text, redact);
  if (!isJson(known)) return redact(scrubText(known));
  const scrubbed = rewriteJson(known, {
    text: (value) => scrubBody(value, redact, depth + 1),
    number: (written) => written,
    hides: isSecretName,
  });
  return redact(scrubbed);
}

/** Removes known secrets from the decoded strings first, because strings may contain any escapes. */
function withoutKnown(text: string, redact: Redact): string {
  if (!isJson(text)) return redact(text);
  const number = (written: string): string => (redact(written) === written ? written : '0');
  return redact(rewriteJson(text, { text: redact, number, hides: () => false }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Removes known secrets and the values of secret parameters and list keys from a path or URL. */
export function scrubPath(path: string, redact: Redact): string {
  const [before = '', ...after] = redact(path)
    .replace(/:\/\/[^/@]{1,1000}@/, `://${MASKED}@`)
    .split(/(?=[?#])/);
  const hidden = (text: string, sign: RegExp): string => text.split(sign).map(withoutValue).join('');
  return redact(hidden(before, /(?<=\/)/) + hidden(after.join(''), /(?<=[?#&])/));
}

/** Masks a parameter, or a list of parameters separated by `;`, from the first secret name to the end. */
function withoutValue(part: string): string {
  for (const { 0: named, 1: name = '', index } of part.matchAll(/(?<=^|[;,])([^=;,]{0,300})=/g)) {
    if (!isSecretName(decoded(name))) continue;
    const [end = ''] = /[/&#?]$/.exec(part) ?? [];
    return part.slice(0, index + named.length) + MASKED + end;
  }
  return part;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

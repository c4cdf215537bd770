// Parameters of RFC 3492 section 5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 0x80;
const LAST_CODE = 0x10ffff;

/**
 * Decodes the part of a label after its `xn--` (RFC 3492 section 6.2). Returns undefined if it is invalid.
 */
export function decodePunycode(text: string): string | undefined {
  const split = text.lastIndexOf('-');
  const output = Array.from(text.slice(0, Math.max(split, 0)), codeOf);
  let [at, code, bias, index] = [split + 1, FIRST_CODE, FIRST_BIAS, 0];
  while (at < text.length) {
    const step = readNumber(text, at, bias);
    if (!step) return undefined;
    const size = output.length + 1;
    bias = adapt({ delta: step.value, size, isFirst: at === split + 1 });
    code += Math.floor((index + step.value) / size);
    index = (index + step.value) % size;
    if (code > LAST_CODE) return undefined;
    output.splice(index, 0, code);
    index += 1;
    at = step.end;
  }
  return String.fromCodePoint(...output);
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Reads one number of variable length. */
function readNumber(text: string, start: number, bias: number): { value: number; end: number } | undefined {
  let [value, weight] = [0, 1];
  for (let [at, k] = [start, BASE]; at < text.length; at++, k += BASE) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit >= BASE) return undefined;
    value += digit * weight;
    if (!Number.isSafeInteger(value)) return undefined;
    const threshold = thresholdAt(k, bias);
    if (digit < threshold) return { value, end: at + 1 };
    weight *= BASE - threshold;
  }
  return undefined;
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 26 ? letter : BASE;
}

function thresholdAt(k: number, bias: number): number {
  return Math.min(Math.max(k - bias, T_MIN), T_MAX);
}

function adapt({ delta, size, isFirst }: { delta: number; size: number; isFirst: boolean }): number {
  let left = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  left += Math.floor(left / size);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}

/** Encodes a text in letters, digits and hyphens (RFC 3492 section 6.3), for use after `xn--`. */
export function encodePunycode(text: string): string {
  const codes = Array.from(text, codeOf);
  const basic = codes.filter((code) => code < FIRST_CODE);
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '');
  let [code, delta, bias, handled] = [FIRST_CODE, 0, FIRST_BIAS, basic.length];
  while (handled < codes.length) {
    const next = Math.min(...codes.filter((one) => one >= code));
    delta += (next - code) * (handled + 1);
    for (const one of codes) {
      if (one < next) delta += 1;
      if (one !== next) continue;
      output += writeNumber(delta, bias);
      bias = adapt({ delta, size: handled + 1, isFirst: handled === basic.length });
      delta = 0;
      handled += 1;
    }
    delta += 1;
    code = next + 1;
  }
  return output;
}

function writeNumber(number: number, bias: number): string {
  let [left, written] = [number, ''];
  for (let k = BASE; ; k += BASE) {
    const threshold = thresholdAt(k, bias);
    if (left < threshold) return written + digit(left);
    const range = BASE - threshold;
    written += digit(threshold + ((left - threshold) % range));
    left = Math.floor((left - threshold) / range);
  }
}

function digit(value: number): string {
  return String.fromCharCode(value < 26 ? value + 0x61 : value - 26 + 0x30);
}

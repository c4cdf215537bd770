// Parameters of RFC 3492 section 5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 0x80;
const MAX_CODE_POINT = 0x10ffff;

/**
 * Decodes the Punycode of a label after its `xn--` (RFC 3492 section 6.2). Returns undefined for invalid
 * Punycode.
 */
export function decodePunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  const output = Array.from(text.slice(0, Math.max(delimiter, 0)), codePointOf);
  let [at, code, bias, index] = [delimiter + 1, INITIAL_CODE, INITIAL_BIAS, 0];
  while (at < text.length) {
    const step = readNumber(text, at, bias);
    if (!step) return undefined;
    const size = output.length + 1;
    bias = adapt({ delta: step.value, size, isFirst: at === delimiter + 1 });
    code += Math.floor((index + step.value) / size);
    index = (index + step.value) % size;
    if (code > MAX_CODE_POINT) return undefined;
    output.splice(index, 0, code);
    index += 1;
    at = step.end;
  }
  return String.fromCodePoint(...output);
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Reads a generalized variable-length integer (RFC 3492 section 3.3). */
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

/** Returns the bias for the next integer (RFC 3492 section 6.1). */
function adapt({ delta, size, isFirst }: { delta: number; size: number; isFirst: boolean }): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / size);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

/** Encodes a text as Punycode for use after `xn--` (RFC 3492 section 6.3). */
export function encodePunycode(text: string): string {
  const codes = Array.from(text, codePointOf);
  const basic = codes.filter((code) => code < INITIAL_CODE);
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '');
  let [code, delta, bias, encoded] = [INITIAL_CODE, 0, INITIAL_BIAS, basic.length];
  while (encoded < codes.length) {
    const next = Math.min(...codes.filter((point) => point >= code));
    delta += (next - code) * (encoded + 1);
    for (const point of codes) {
      if (point < next) delta += 1;
      if (point !== next) continue;
      output += writeNumber(delta, bias);
      bias = adapt({ delta, size: encoded + 1, isFirst: encoded === basic.length });
      delta = 0;
      encoded += 1;
    }
    delta += 1;
    code = next + 1;
  }
  return output;
}

function writeNumber(number: number, bias: number): string {
  let [rest, digits] = [number, ''];
  for (let k = BASE; ; k += BASE) {
    const threshold = thresholdAt(k, bias);
    if (rest < threshold) return digits + digit(rest);
    const range = BASE - threshold;
    digits += digit(threshold + ((rest - threshold) % range));
    rest = Math.floor((rest - threshold) / range);
  }
}

function digit(value: number): string {
  return String.fromCharCode(value < 26 ? value + 0x61 : value - 26 + 0x30);
}

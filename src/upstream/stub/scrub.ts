const SECRET_NAME =
  '(?:pass(?:word|wd|phrase)?|secret|token|community|credential|private-?key|api-?key|authorization|cookie)';
const MASKED = '[redacted]';

// Names are bounded, so that a text made to be slow is not.
const TEXT = '"(?:[^"\\\\]|\\\\.)*"';
const JSON_MEMBER = new RegExp(
  `("[^"\\\\]{0,100}?${SECRET_NAME}[^"\\\\]{0,100}"\\s{0,20}:\\s{0,20})(?:${TEXT}|-?\\d[\\d.eE+-]*|\\[[^\\[\\]{}]*\\])`,
  'gi',
);
const XML_ELEMENT = new RegExp(
  `(<[\\w.:-]{0,100}?${SECRET_NAME}[\\w.-]{0,100}(?:\\s[^<>]{0,1000})?>)[^<]+(?=</)`,
  'gi',
);
const PARAMETER = new RegExp(`([?&;][^=&;]{0,100}?${SECRET_NAME}[^=&;]{0,100}=)[^&;]*`, 'gi');

/** A text of an orchestrator without the values of members and elements whose names say that they are secret. */
export function scrubBody(text: string): string {
  return text.replace(JSON_MEMBER, `$1"${MASKED}"`).replace(XML_ELEMENT, `$1${MASKED}`);
}

/** A path without the values of parameters whose names say that they are secret. */
export function scrubPath(path: string): string {
  return path.replace(PARAMETER, `$1${MASKED}`);
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;
const EUROPEAN_DIGIT = /[0-9\u06f0-\u06f9]/;
const ARABIC_DIGIT = /[\u0660-\u0669]/;

/**
 * The rule for names with labels that are written from right to left (RFC 5893 section 2), as far as scripts tell the
 * direction: each label begins with a letter, all its letters run one way, and it keeps to one kind of digits.
 */
export function keepDirection(labels: readonly string[]): boolean {
  const characters = labels.map((label) => Array.from(label));
  return !characters.some((label) => label.some(isBackward)) || characters.every(keepsDirection);
}

/** Digits and marks go with the letters around them. */
function isBackward(character: string): boolean {
  return RIGHT_TO_LEFT.test(character) && !/[\p{Nd}\p{M}]/u.test(character);
}

function isForward(character: string): boolean {
  return /\p{L}/u.test(character) && !RIGHT_TO_LEFT.test(character);
}

function keepsDirection(label: readonly string[]): boolean {
  const [first = ''] = label;
  if (!isBackward(first) && !isForward(first)) return false;
  if (label.some((one) => EUROPEAN_DIGIT.test(one)) && label.some((one) => ARABIC_DIGIT.test(one)))
    return false;
  return !(label.some(isBackward) && label.some(isForward));
}

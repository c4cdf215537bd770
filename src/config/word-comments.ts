import { isMap, isScalar, isSeq, Scalar } from 'yaml';
import { pointerTo } from '../json/pointer.js';

/** A comment that consists of one word directly after "#", as in `password: TEXT #word`. */
const WORD = /^[^\s#]+$/;

/**
 * Returns the pointers of unquoted texts that one blank and a comment of one word follow. The writer may have meant the
 * word as a part of the text. Does not follow aliases.
 */
export function findWordComments(contents: unknown, pointer = ''): readonly string[] {
  if (isSeq(contents))
    return contents.items.flatMap((item, at) => findWordComments(item, pointerTo(pointer, at)));
  if (isMap(contents))
    return contents.items.flatMap(({ key, value }) =>
      findWordComments(value, pointerTo(pointer, isScalar(key) ? String(key.value) : '')),
    );
  if (!isScalar(contents) || contents.type !== Scalar.PLAIN) return [];
  return WORD.test(contents.comment ?? '') ? [pointer] : [];
}

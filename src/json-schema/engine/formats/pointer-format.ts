/** A JSON pointer (RFC 6901). */
export const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** A relative JSON pointer: steps up, an index manipulation perhaps, and a pointer or `#`. */
export const RELATIVE_JSON_POINTER =
  /^(?:0|[1-9][0-9]*)(?:[+-](?:0|[1-9][0-9]*))?(?:#|(?:\/(?:[^~/]|~[01])*)*)$/;

// RFC 6570 section 2: literals and expressions.
const NAME = '(?:\\w|%[0-9a-f]{2})+(?:\\.(?:\\w|%[0-9a-f]{2})+)*(?::[1-9][0-9]{0,3}|\\*)?';

/** A URI template (RFC 6570). */
export const URI_TEMPLATE = new RegExp(
  `^(?:[^\\x00-\\x20\\x7f"%<>\\\\^\`{|}]|%[0-9a-f]{2}|\\{[+#./;?&=,!@|]?${NAME}(?:,${NAME})*\\})*$`,
  'iu',
);

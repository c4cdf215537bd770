import { anyCase, type JsonSchema } from '../core/schema.js';

// Patterns of texts as they are written in a file, before variables are inserted and references are resolved.
// They use no look-ahead, which some validators do not know.

const VARIABLE = '\\$\\{[A-Za-z_][A-Za-z0-9_]*(?::-[^{}]*)?\\}';

/** Pattern of a text that is one variable. */
const ONLY_VARIABLE = `^${VARIABLE}$`;

/** Pattern of a text that contains the start of a variable. After two or more `$`, a brace is literal. */
const HAS_VARIABLE = '(?:^|[^$])\\$\\{';

/** Pattern of a text in which every `${` starts a variable or is escaped. */
const ONLY_WHOLE_VARIABLES = `^(?:[^$]|\\$\\$+\\{|${VARIABLE}|\\$+(?:[^\${]|$))*$`;

const SEGMENT = "(?:[\\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+";
const PATH = `(?:${SEGMENT}(?:/${SEGMENT})*|/${SEGMENT}(?:/${SEGMENT})+)`;
const PARAMETER = '(?:version=[0-9]{1,10}|encoding=(?:utf8|base64))';
const CANONICAL = `^\\$VAULT_${PATH}(?:\\?${PARAMETER}(?:&${PARAMETER})?)?(?:#[^#\\u0000-\\u001f\\u007f]+)?$`;
const FILE_SEGMENT =
  "(?:\\.?(?:[\\w~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})(?:[\\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)";
const FILE = `^\\$FILE_${FILE_SEGMENT}(?:/${FILE_SEGMENT})*(?:\\?encoding=(?:utf8|base64))?(?:#[^#\\u0000-\\u001f\\u007f]+)?$`;
const PLATFORM = `^\\$(?:VAULT|SECRET)_${PATH} \\$KEY_[^?#\\u0000-\\u001f\\u007f]+$`;

/** Pattern of the start of a text that is meant as a reference. */
const REFERENCE_START = `^\\s*\\$(?:${anyCase('vault')}|${anyCase('file_')}|${anyCase('secret_')})`;
const FOREIGN_START = `^\\s*(?:\\$${anyCase('secret://')}|(?:\\{|${anyCase('ref')}\\+)?${anyCase('vault://')})`;
const ENCRYPTED_START = `^\\s*\\$${anyCase('enc')}`;

/** Pattern of a reference. A text with a variable may become one. */
const REFERENCE = `${CANONICAL}|${FILE}|${PLATFORM}|^\\$(?:VAULT|FILE|SECRET)_(?:[\\s\\S]*[^$])?\\$\\{`;

/** Pattern of a text whose value is not known before variables are inserted and references are resolved. */
const SUBSTITUTED = `${HAS_VARIABLE}|${REFERENCE_START}|${FOREIGN_START}|${ENCRYPTED_START}`;

const REFERENCE_FIX = 'Write "$VAULT_<path>#<field>", for example "$VAULT_adapters/nso1#password".';

const encrypted = rule(
  ENCRYPTED_START,
  '^\\$\\$',
  `A value that starts with "$ENC" is encrypted by the platform, and gatehouse has no key for it. Store the secret in Vault. ${REFERENCE_FIX}`,
);
const foreign = rule(
  FOREIGN_START,
  '^\\$\\$',
  `This is a reference in the syntax of another tool. ${REFERENCE_FIX}`,
);
const variables = rule(
  '\\$\\{',
  ONLY_WHOLE_VARIABLES,
  'A "${" does not start a variable. Write ${NAME} or ${NAME:-default} (no braces in the default), or $${ for a literal "${".',
);
const references = rule(REFERENCE_START, REFERENCE, `This is not a reference to a secret. ${REFERENCE_FIX}`);
const noReferences = rule(
  REFERENCE_START,
  '^\\$\\$',
  'This cannot be a reference: it is needed before Vault is read. Write the value itself, or take it from the environment with ${NAME}.',
);

/**
 * Returns a schema of a text that matches a pattern. Without the keyword `type`, the YAML language server keeps the
 * message of the other alternatives for a value that is no text.
 */
function textThatMatches(pattern: string): JsonSchema {
  return { if: { type: 'string' }, then: { type: 'string', pattern }, else: false };
}

/** Returns a schema that requires `required` of every text that matches `condition`. */
function rule(condition: string, required: string, sentence: string): JsonSchema {
  return {
    if: { type: 'string', pattern: condition },
    then: { type: 'string', pattern: required, patternErrorMessage: sentence },
  };
}

const text: JsonSchema = { allOf: [encrypted, foreign, references, variables] };
const textWithoutReference: JsonSchema = { allOf: [encrypted, foreign, noReferences, variables] };
const substituted: JsonSchema = { type: 'string', pattern: SUBSTITUTED };

/**
 * Schemas that every editor schema refers to:
 *
 * - `text`, `textWithoutReference`: requirements of every text
 * - `substituted`: a text whose value is not known yet, which the pattern of a key does not apply to
 * - `word`, `wordWithoutReference`: a text in place of one of several words
 * - `scalar`, `scalarWithoutReference`: a text in place of a number or a boolean
 * - `value`: any value, with the requirements of its texts
 */
export const TEXT_DEFINITIONS: Readonly<Record<string, JsonSchema>> = {
  text,
  textWithoutReference,
  substituted,
  word: { allOf: [substituted, text] },
  wordWithoutReference: { allOf: [substituted, textWithoutReference] },
  scalar: textThatMatches(`${ONLY_VARIABLE}|${REFERENCE}`),
  scalarWithoutReference: textThatMatches(ONLY_VARIABLE),
  value: {
    allOf: [{ $ref: '#/$defs/text' }],
    if: { type: 'object' },
    then: { type: 'object', additionalProperties: { $ref: '#/$defs/value' }, propertyNames: encrypted },
    else: { if: { type: 'array' }, then: { type: 'array', items: { $ref: '#/$defs/value' } } },
  },
};

/** Schema of the name of a member, which must not be an encrypted value. */
export const NAME_SCHEMA: JsonSchema = encrypted;

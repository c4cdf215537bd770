import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { messagesOf } from './console-texts.js';

const HEAD = `/**
 * Values that each message of the pages needs, by area and key. Written from the English message files by
 * \`UPDATE_GOLDEN=1 npm test -- test/console/text/message-values.test.ts\`.
 */
`;

/** Returns the text of \`console/src/text/message-values.d.ts\`. */
export function messageValuesText(): string {
  const areas = Object.entries(messagesOf('en')).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = areas.map(([area, messages]) => {
    const keys = Object.entries(messages).map(
      ([key, message]) => `    ${quoted(key)}: ${valuesOf(message)};`,
    );
    return `  ${quoted(area)}: {\n${keys.join('\n')}\n  };`;
  });
  return `${HEAD}import type { Numeric, Tag, Value } from './value.js';\n\nexport interface MessageValues {\n${lines.join('\n')}\n}\n`;
}

function valuesOf(message: string): string {
  const types = new Map<string, string>();
  // A placeholder that a message has twice has the narrower of its types.
  for (const [name, type] of placeholdersOf(parse(message)))
    if (type !== 'Value' || !types.has(name)) types.set(name, type);
  if (types.size === 0) return 'object';
  return `{ ${[...types].map(([name, type]) => `${quoted(name)}: ${type}`).join('; ')} }`;
}

/** Returns the names of the placeholders and tags of a message with the types of their values. */
function placeholdersOf(elements: readonly MessageFormatElement[]): readonly (readonly [string, string])[] {
  return elements.flatMap((element): readonly (readonly [string, string])[] => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return [];
      case TYPE.tag:
        return [[element.value, 'Tag'], ...placeholdersOf(element.children)];
      case TYPE.plural:
      case TYPE.select: {
        const type = element.type === TYPE.plural ? 'Numeric' : 'string';
        const inner = Object.values(element.options).flatMap(({ value }) => placeholdersOf(value));
        return [[element.value, type], ...inner];
      }
      case TYPE.number:
        return [[element.value, 'Numeric']];
      default:
        return [[element.value, 'Value']];
    }
  });
}

function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}

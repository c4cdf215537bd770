import { adapterSchema } from '../../../src/settings/adapter.js';
import { settingsSchema } from '../../../src/settings/settings.js';
import { BUNDLED } from '../reference/adapter-settings.js';
import { allKeysOf, type Key, keysOf, type Node } from '../reference/schema-keys.js';
import { isGuide, type ProseRule } from './rule.js';

/** The keys of all schemas. Different sections may have keys of the same name. */
const KEYS: readonly Key[] = [
  ...allKeysOf(settingsSchema),
  ...allKeysOf(adapterSchema),
  ...BUNDLED.flatMap(({ options }) => keysOf(options, 'options.')),
];

/** Matches a key in code font with the default after it. */
const DEFAULT = /`([A-Za-z][\w.]*)`\s+\(default:\s+([^)]+)\)/g;

/** Reports defaults in guides that differ from the schemas. */
export const defaults: ProseRule = {
  name: 'defaults',
  appliesTo: isGuide,
  check: ({ report }) => ({
    Document(node) {
      for (const { 0: sentence, 1: name = '', 2: value = '', index } of node.raw.matchAll(DEFAULT)) {
        const known = KEYS.filter((key) => key.name === name);
        if (!known.some((key) => defaultTextsOf(key).includes(value.replaceAll('`', ''))))
          report(
            node,
            `${sentence}: ${known.length === 0 ? 'no such key' : 'the schema has another default'}`,
            index,
          );
      }
    },
  }),
};

function defaultTextsOf({ schema }: Key): readonly string[] {
  const { default: preset } = schema as Node;
  if (preset === undefined) return ['none'];
  return [JSON.stringify(preset), ...(typeof preset === 'string' ? [preset] : [])];
}

/** Matches a number with the unit of a measurement. */
const FIGURE =
  /[\d,.]*\d(?:\s|\u00a0)?(?:ms|µs|MB|MiB|KB|kB)\b|[\d,.]*\d\s(?:calls|requests)(?:\/s|\s(?:per|a)\ssecond)\b/g;

/** Reports measurements in guides: figures belong in the evidence, which a run generates. */
export const figures: ProseRule = {
  name: 'figures',
  appliesTo: isGuide,
  check: ({ report }) => ({
    Str(node) {
      for (const { 0: figure, index } of node.raw.matchAll(FIGURE))
        report(node, `${figure}: measurements belong in docs/evidence.md`, index);
    },
  }),
};

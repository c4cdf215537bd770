import type { JsonSchema } from '../../../src/core/schema.js';
import { appliesAtStart } from '../../../src/server/state/restart-needed.js';
import { settingsSchema } from '../../../src/settings/settings.js';
import type { ReferencePage } from './page.js';
import { type Key, keysOf, type Node, tablesOf } from './schema-keys.js';
import { blocks, code, prose } from './write-markdown.js';

const RULES = `Every key is optional unless its default is \`required\`. Paths are relative to the file that contains them. Every string may contain
variables of the environment: \`\${NAME}\`, or \`\${NAME:-default}\`. Secrets may be [references](../how-to/use-secrets.md). \`gatehouse check\` reports
unknown and duplicate keys, and wrong values.

The file of a private key belongs to the user of the process and has mode 0600 or less, or it belongs to root and has mode 0640 or less.

"Takes effect" says whether a [reload](../explanation/reload.md) applies a change, or only the next start.`;

export const settings: ReferencePage = {
  file: 'settings.md',
  title: 'Settings',
  about:
    'The keys of the main file, `gatehouse.yaml`. The keys of an adapter are in [Adapter settings](adapter-settings.md).',
  body: () => blocks(RULES, ...topLevel().map(([name, schema]) => sectionOf(name, schema))),
};

function topLevel(): readonly (readonly [name: string, schema: JsonSchema])[] {
  return Object.entries((settingsSchema as Node).properties ?? {});
}

function sectionOf(name: string, schema: JsonSchema): string {
  const { description = '', properties } = schema as Node;
  const own: Key = { name, schema, isRequired: false };
  const keys = keysOf(schema, `${name}.`);
  const isPlain = properties !== undefined && JSON.stringify((schema as Node).default) === '{}';
  const rows = isPlain ? keys : [own, ...keys];
  return blocks(
    `## ${code(name)}`,
    isPlain ? prose(description) : '',
    tablesOf(rows, '###', [['Takes effect', effectOf]]),
  );
}

function effectOf(name: string): string {
  return appliesAtStart(`/${name.replaceAll('.', '/')}`) ? 'start' : 'reload';
}

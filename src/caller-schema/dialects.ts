import { createRequire } from 'node:module';
import { Ajv, type AnySchema, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import AjvDraft04 from 'ajv-draft-04';
import type { Engine } from './engine.js';
import { addFormats } from './formats.js';
import { linearPatterns } from './linear-pattern.js';

/** A draft of JSON Schema. */
export interface Dialect {
  /** As schemas name it. */
  readonly uri: string;
  /** Makes a new engine. Engines keep what they have compiled for as long as they live: each schema has its own. */
  createEngine(): Engine;
}

const DRAFT_04 = 'http://json-schema.org/draft-04/schema';
const DRAFT_06 = 'http://json-schema.org/draft-06/schema';
export const DRAFT_07 = 'http://json-schema.org/draft-07/schema';
const DRAFT_2019_09 = 'https://json-schema.org/draft/2019-09/schema';
export const DRAFT_2020_12 = 'https://json-schema.org/draft/2020-12/schema';

const ENGINES: Readonly<Record<string, () => Engine>> = {
  [DRAFT_04]: () => new AjvDraft04.default(options()),
  [DRAFT_06]: () => without(new Ajv(options()), ['if', 'then', 'else']).addMetaSchema(draft06),
  [DRAFT_07]: () => new Ajv(options()),
  [DRAFT_2019_09]: () => new Ajv2019(options()),
  [DRAFT_2020_12]: () => new Ajv2020(options()),
};

/** The drafts that are known. */
export const DIALECTS: readonly Dialect[] = Object.entries(ENGINES).map(([uri, create]) => ({
  uri,
  createEngine() {
    const engine = create();
    // Later drafts simply do not know the word; Ajv throws.
    if (uri !== DRAFT_04) without(engine, ['id']);
    addFormats(engine);
    return engine;
  },
}));

/** The draft of a URI, with or without `#` at its end, over http or https. */
export function dialectOf(uri: string): Dialect | undefined {
  const bare = uri.replace(/#$/, '').replace(/^https?:/, '');
  return DIALECTS.find((dialect) => dialect.uri.replace(/^https?:/, '') === bare);
}

const draft06 = createRequire(import.meta.url)('ajv/dist/refs/json-schema-draft-06.json') as AnySchema &
  object;

function options(): Options {
  return {
    // Callers' schemas carry words of their own, such as `ui:order`.
    strict: false,
    // When something fails, Ajv prints the code that it made.
    logger: false,
    // Besides, the code for the first error alone overflows the stack with thousands of properties.
    allErrors: true,
    code: { regExp: linearPatterns(), optimize: false },
    // `toString` and its like are members only where they are written.
    ownProperties: true,
    // Done before, by an engine that is kept, because it compiles the schema of schemas.
    validateSchema: false,
    inlineRefs: false,
    // Names the schema that failed, and with it the title of the field.
    verbose: true,
  };
}

function without(engine: Engine, keywords: readonly string[]): Engine {
  for (const keyword of keywords) engine.removeKeyword(keyword);
  return engine;
}

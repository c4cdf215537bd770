import { isJsonObject, type JsonObject, memberOf } from '../../../core/json-object.js';
import { type Dialect } from '../model.js';
import {
  DRAFT_2019_09,
  DRAFT_2020_12,
  DRAFT_4,
  DRAFT_6,
  DRAFT_7,
  type Rules,
  type Vocabularies,
} from './vocabularies.js';

interface Draft {
  readonly uri: string;
  /** URI prefix of the draft's vocabularies. */
  readonly vocabulary?: string;
  readonly vocabularies: Vocabularies;
  /** Vocabularies that have a meaning and no checks. */
  readonly silent?: readonly string[];
  /** Vocabulary that a meta-schema uses to require format checks. */
  readonly assertion?: string;
}

const DRAFTS: readonly Draft[] = [
  { uri: 'http://json-schema.org/draft-04/schema', vocabularies: DRAFT_4 },
  { uri: 'http://json-schema.org/draft-06/schema', vocabularies: DRAFT_6 },
  { uri: 'http://json-schema.org/draft-07/schema', vocabularies: DRAFT_7 },
  {
    uri: 'https://json-schema.org/draft/2019-09/schema',
    vocabulary: 'https://json-schema.org/draft/2019-09/vocab/',
    vocabularies: DRAFT_2019_09,
    silent: ['content', 'meta-data'],
    assertion: 'format',
  },
  {
    uri: 'https://json-schema.org/draft/2020-12/schema',
    vocabulary: 'https://json-schema.org/draft/2020-12/vocab/',
    vocabularies: DRAFT_2020_12,
    silent: ['content', 'meta-data'],
    assertion: 'format-assertion',
  },
];

/** URIs of the known drafts. */
export const DRAFT_URIS: readonly string[] = DRAFTS.map(({ uri }) => uri);

const KNOWN: ReadonlyMap<string, Dialect> = new Map(
  DRAFTS.map((draft) => [bare(draft.uri), dialectOf(draft, { uri: draft.uri, asserts: false })]),
);

/** Returns the dialect of a published meta-schema, for http or https, with or without a trailing `#`. */
export function publishedDialect(uri: string): Dialect | undefined {
  return KNOWN.get(bare(uri));
}

function bare(uri: string): string {
  return uri.replace(/#$/, '').replace(/^https?:/, '');
}

function dialectOf(
  { uri: draft, vocabularies }: Draft,
  { uri, asserts, chosen }: { uri: string; asserts: boolean; chosen?: readonly string[] },
): Dialect {
  const rules = (chosen ?? Object.keys(vocabularies)).flatMap((name) =>
    Object.entries((vocabularies[name] satisfies Rules | undefined) ?? {}),
  );
  const isOld = draft.includes('/draft-0');
  return {
    uri,
    idKeyword: draft.includes('draft-04') ? 'id' : '$id',
    refStandsAlone: isOld,
    assertsFormat: asserts,
    rules: new Map(rules),
  };
}

/**
 * Returns the dialect that the `$vocabulary` of a custom meta-schema selects. Returns undefined without a
 * `$vocabulary`, and a text if a required vocabulary is unknown.
 */
export function chosenDialect(uri: string, metaschema: JsonObject): Dialect | string | undefined {
  const vocabulary = memberOf(metaschema, '$vocabulary');
  if (!isJsonObject(vocabulary)) return undefined;
  const draft = DRAFTS.find(({ vocabulary: prefix }) =>
    Object.keys(vocabulary).some((name) => prefix !== undefined && name.startsWith(prefix)),
  );
  if (!draft) return undefined;
  const prefix = draft.vocabulary ?? '';
  const known = new Set([...Object.keys(draft.vocabularies), ...(draft.silent ?? [])]);
  const missing = Object.entries(vocabulary).find(
    ([name, needed]) => needed === true && !(name.startsWith(prefix) && known.has(name.slice(prefix.length))),
  );
  if (missing) return missing[0];
  const chosen = ['core', ...Object.keys(vocabulary).map((name) => name.slice(prefix.length))];
  const asserts = Object.entries(vocabulary).some(([name, needed]) =>
    asksForFormats(draft, { name, needed }),
  );
  return dialectOf(draft, { uri, asserts, chosen });
}

/**
 * Returns true if a vocabulary requires format checks. In 2020-12 it only has to be named; in 2019-09 it has
 * to be required.
 */
function asksForFormats(
  { vocabulary, assertion }: Draft,
  { name, needed }: { name: string; needed: unknown },
): boolean {
  if (vocabulary === undefined || name !== `${vocabulary}${assertion ?? ''}`) return false;
  return needed === true || assertion === 'format-assertion';
}

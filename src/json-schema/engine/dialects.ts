import { isJsonObject, type JsonObject, memberOf } from '../../json/json-object.js';
import { FORMATS, OLD_FORMATS } from './formats/formats.js';
import {
  allOfRule,
  anyOfRule,
  dynamicRefRule,
  ifRule,
  notRule,
  oneOfRule,
  recursiveRefRule,
  refRule,
} from './keywords/applicator-rules.js';
import {
  containsRule,
  itemsBefore2020Rule,
  itemsRule,
  prefixItemsRule,
  unevaluatedItemsRule,
} from './keywords/array-rules.js';
import {
  dependencyRule,
  membersRule,
  propertyNamesRule,
  requiredRule,
  unevaluatedPropertiesRule,
} from './keywords/object-rules.js';
import { SIZE_RULES, uniqueItemsRule } from './keywords/size-rules.js';
import {
  constRule,
  enumRule,
  formatRule,
  patternRule,
  typeRule,
  NUMBER_RULES,
  NUMBER_RULES_OF_DRAFT_4,
} from './keywords/value-rules.js';
import draft04 from './metaschemas/draft-04.json' with { type: 'json' };
import draft06 from './metaschemas/draft-06.json' with { type: 'json' };
import draft07 from './metaschemas/draft-07.json' with { type: 'json' };
import draft201909 from './metaschemas/draft-2019-09.json' with { type: 'json' };
import draft202012 from './metaschemas/draft-2020-12.json' with { type: 'json' };
import type { Dialect, Rule } from './model.js';

/** Rules by keyword. Keywords that share a rule are compiled into one check. */
type Rules = Readonly<Record<string, Rule>>;

/** Rules of the vocabularies, by the last segment of the vocabulary's URI. */
type Vocabularies = Readonly<Record<string, Rules>>;

const PROPERTIES: Rules = {
  properties: membersRule,
  patternProperties: membersRule,
  additionalProperties: membersRule,
};

const LOGICAL: Rules = { allOf: allOfRule, anyOf: anyOfRule, oneOf: oneOfRule, not: notRule };

const COMMON_ASSERTIONS: Rules = {
  ...SIZE_RULES,
  type: typeRule,
  enum: enumRule,
  pattern: patternRule,
  uniqueItems: uniqueItemsRule,
  required: requiredRule,
};

/** Supported in every draft, so that schemas written for an earlier draft keep their meaning. */
const DEPENDENCIES: Rules = { dependencies: dependencyRule('dependencies') };

const UNEVALUATED: Rules = {
  unevaluatedItems: unevaluatedItemsRule,
  unevaluatedProperties: unevaluatedPropertiesRule,
};

const CONTAINS_BEFORE_2019: Rules = { contains: containsRule({ hasLimits: false, evaluatesItems: false }) };

const CONTAINS_OF_2019: Rules = { contains: containsRule({ hasLimits: true, evaluatesItems: false }) };

const CONTAINS_OF_2020: Rules = { contains: containsRule({ hasLimits: true, evaluatesItems: true }) };

const CONDITIONAL: Rules = { if: ifRule };

const PROPERTY_NAMES: Rules = { propertyNames: propertyNamesRule };

const CONST: Rules = { const: constRule };

const REF: Rules = { $ref: refRule };

const FORMAT: Rules = { format: formatRule(FORMATS) };

const DEPENDENT: Rules = { ...DEPENDENCIES, dependentSchemas: dependencyRule('dependentSchemas') };

const VALIDATION: Rules = {
  ...COMMON_ASSERTIONS,
  ...CONST,
  ...NUMBER_RULES,
  dependentRequired: dependencyRule('dependentRequired'),
};

const ITEMS_BEFORE_2020: Rules = { items: itemsBefore2020Rule, additionalItems: itemsBefore2020Rule };

/** Rules of draft 4. A draft without vocabularies has the single entry `all`. */
const DRAFT_4: Vocabularies = {
  all: {
    ...REF,
    ...PROPERTIES,
    ...ITEMS_BEFORE_2020,
    ...LOGICAL,
    ...COMMON_ASSERTIONS,
    ...NUMBER_RULES_OF_DRAFT_4,
    ...DEPENDENCIES,
    format: formatRule(OLD_FORMATS),
  },
};

const DRAFT_6: Vocabularies = {
  all: { ...DRAFT_4['all'], ...NUMBER_RULES, ...CONST, ...CONTAINS_BEFORE_2019, ...PROPERTY_NAMES },
};

const DRAFT_7: Vocabularies = { all: { ...DRAFT_6['all'], ...CONDITIONAL, ...FORMAT } };

const DRAFT_2019_09: Vocabularies = {
  core: { ...REF, $recursiveRef: recursiveRefRule },
  applicator: {
    ...PROPERTIES,
    ...ITEMS_BEFORE_2020,
    ...LOGICAL,
    ...CONDITIONAL,
    ...CONTAINS_OF_2019,
    ...PROPERTY_NAMES,
    ...DEPENDENT,
    ...UNEVALUATED,
  },
  validation: VALIDATION,
  format: FORMAT,
};

const DRAFT_2020_12: Vocabularies = {
  core: { ...REF, $dynamicRef: dynamicRefRule },
  applicator: {
    ...PROPERTIES,
    prefixItems: prefixItemsRule,
    items: itemsRule,
    ...LOGICAL,
    ...CONDITIONAL,
    ...CONTAINS_OF_2020,
    ...PROPERTY_NAMES,
    ...DEPENDENT,
  },
  unevaluated: UNEVALUATED,
  validation: VALIDATION,
  'format-annotation': FORMAT,
  'format-assertion': FORMAT,
};

interface Draft {
  readonly uri: string;
  /** URI prefix of the draft's vocabularies. */
  readonly vocabulary?: string;
  readonly vocabularies: Vocabularies;
  /** Known vocabularies whose keywords are only annotations. */
  readonly annotationVocabularies?: readonly string[];
  /** Vocabulary with which a meta-schema turns `format` into an assertion. */
  readonly formatAssertion?: string;
}

const DRAFTS: readonly Draft[] = [
  { uri: 'http://json-schema.org/draft-04/schema', vocabularies: DRAFT_4 },
  { uri: 'http://json-schema.org/draft-06/schema', vocabularies: DRAFT_6 },
  { uri: 'http://json-schema.org/draft-07/schema', vocabularies: DRAFT_7 },
  {
    uri: 'https://json-schema.org/draft/2019-09/schema',
    vocabulary: 'https://json-schema.org/draft/2019-09/vocab/',
    vocabularies: DRAFT_2019_09,
    annotationVocabularies: ['content', 'meta-data'],
    formatAssertion: 'format',
  },
  {
    uri: 'https://json-schema.org/draft/2020-12/schema',
    vocabulary: 'https://json-schema.org/draft/2020-12/vocab/',
    vocabularies: DRAFT_2020_12,
    annotationVocabularies: ['content', 'meta-data'],
    formatAssertion: 'format-assertion',
  },
];

export const DRAFT_URIS: readonly string[] = DRAFTS.map(({ uri }) => uri);

const PUBLISHED_DIALECTS: ReadonlyMap<string, Dialect> = new Map(
  DRAFTS.map((draft) => [
    schemelessUri(draft.uri),
    dialectOf(draft, { uri: draft.uri, assertsFormat: false }),
  ]),
);

/**
 * Returns the dialect of a published meta-schema. The scheme (http or https) and a trailing `#` do not
 * matter.
 */
export function publishedDialect(uri: string): Dialect | undefined {
  return PUBLISHED_DIALECTS.get(schemelessUri(uri));
}

/** Returns a URI without its scheme and a trailing `#`, for comparison. */
function schemelessUri(uri: string): string {
  return uri.replace(/#$/, '').replace(/^https?:/, '');
}

function dialectOf(
  { uri: draft, vocabularies }: Draft,
  { uri, assertsFormat, selected }: { uri: string; assertsFormat: boolean; selected?: readonly string[] },
): Dialect {
  const rules = (selected ?? Object.keys(vocabularies)).flatMap((name) =>
    Object.entries((vocabularies[name] satisfies Rules | undefined) ?? {}),
  );
  const isBefore2019 = draft.includes('/draft-0');
  return {
    uri,
    idKeyword: draft.includes('draft-04') ? 'id' : '$id',
    ignoresRefSiblings: isBefore2019,
    assertsFormat,
    rules: new Map(rules),
  };
}

/**
 * Returns the dialect that the `$vocabulary` of a custom meta-schema selects. Returns undefined if the
 * meta-schema selects no vocabulary of a known draft. Returns the URI of a required vocabulary that is
 * unknown.
 */
export function customDialect(uri: string, metaschema: JsonObject): Dialect | string | undefined {
  const vocabulary = memberOf(metaschema, '$vocabulary');
  if (!isJsonObject(vocabulary)) return undefined;
  const draft = DRAFTS.find(({ vocabulary: prefix }) =>
    Object.keys(vocabulary).some((name) => prefix !== undefined && name.startsWith(prefix)),
  );
  if (!draft) return undefined;
  const prefix = draft.vocabulary ?? '';
  const known = new Set([...Object.keys(draft.vocabularies), ...(draft.annotationVocabularies ?? [])]);
  const unknown = Object.entries(vocabulary).find(
    ([name, isRequired]) =>
      isRequired === true && !(name.startsWith(prefix) && known.has(name.slice(prefix.length))),
  );
  if (unknown) return unknown[0];
  const selected = ['core', ...Object.keys(vocabulary).map((name) => name.slice(prefix.length))];
  const assertsFormat = Object.entries(vocabulary).some(([name, isRequired]) =>
    requiresFormatAssertion(draft, { name, isRequired }),
  );
  return dialectOf(draft, { uri, assertsFormat, selected });
}

/**
 * Returns true if a vocabulary turns `format` into an assertion. In 2020-12 the meta-schema only has to list
 * the vocabulary; in 2019-09 it has to require the vocabulary.
 */
function requiresFormatAssertion(
  { vocabulary, formatAssertion }: Draft,
  { name, isRequired }: { name: string; isRequired: unknown },
): boolean {
  if (vocabulary === undefined || name !== `${vocabulary}${formatAssertion ?? ''}`) return false;
  return isRequired === true || formatAssertion === 'format-assertion';
}

/** Meta-schemas of all drafts by URI, without a trailing `#`. */
export const METASCHEMAS: ReadonlyMap<string, JsonObject> = new Map(
  [...draft04, ...draft06, ...draft07, ...draft201909, ...draft202012].map((document: JsonObject) => [
    metaschemaUri(document),
    document,
  ]),
);

function metaschemaUri({ $id, id }: JsonObject): string {
  return String($id ?? id).replace(/#$/, '');
}

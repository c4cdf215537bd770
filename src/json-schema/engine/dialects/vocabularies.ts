import { FORMATS, OLD_FORMATS } from '../formats/formats.js';
import { formatRule } from '../keywords/format-rule.js';
import {
  containsRule,
  itemsBefore2020Rule,
  itemsRule,
  prefixItemsRule,
  unevaluatedItemsRule,
} from '../keywords/item-rules.js';
import { allOfRule, anyOfRule, ifRule, notRule, oneOfRule } from '../keywords/logic-rules.js';
import { membersRule, propertyNamesRule, unevaluatedPropertiesRule } from '../keywords/member-rules.js';
import { NUMBER_RULES, NUMBER_RULES_OF_DRAFT_4 } from '../keywords/number-rules.js';
import { dynamicRefRule, recursiveRefRule, refRule } from '../keywords/reference-rules.js';
import { dependencyRule, requiredRule } from '../keywords/required-rules.js';
import { SIZE_RULES, uniqueItemsRule } from '../keywords/size-rules.js';
import { constRule, enumRule, patternRule, typeRule } from '../keywords/value-rules.js';
import type { Rule } from '../model.js';

/** Rules by keyword. Keywords that share a rule are checked together. */
export type Rules = Readonly<Record<string, Rule>>;

/** Rules by the last part of a vocabulary's URI. */
export type Vocabularies = Readonly<Record<string, Rules>>;

const MEMBERS: Rules = {
  properties: membersRule,
  patternProperties: membersRule,
  additionalProperties: membersRule,
};

const LOGIC: Rules = { allOf: allOfRule, anyOf: anyOfRule, oneOf: oneOfRule, not: notRule };

const VALUES: Rules = {
  ...SIZE_RULES,
  type: typeRule,
  enum: enumRule,
  pattern: patternRule,
  uniqueItems: uniqueItemsRule,
  required: requiredRule,
};

/** Still supported after draft 7, so that old schemas keep their meaning. */
const DEPENDENCIES: Rules = { dependencies: dependencyRule('dependencies') };

const UNEVALUATED: Rules = {
  unevaluatedItems: unevaluatedItemsRule,
  unevaluatedProperties: unevaluatedPropertiesRule,
};

const CONTAINS_BEFORE_2019: Rules = { contains: containsRule({ counts: false, looks: false }) };
const CONTAINS_OF_2019: Rules = { contains: containsRule({ counts: true, looks: false }) };
const CONTAINS: Rules = { contains: containsRule({ counts: true, looks: true }) };
const CONDITION: Rules = { if: ifRule };
const NAMES: Rules = { propertyNames: propertyNamesRule };
const CONST: Rules = { const: constRule };
const REF: Rules = { $ref: refRule };
const FORMAT: Rules = { format: formatRule(FORMATS) };

const DEPENDENT: Rules = { ...DEPENDENCIES, dependentSchemas: dependencyRule('dependentSchemas') };
const VALIDATION: Rules = {
  ...VALUES,
  ...CONST,
  ...NUMBER_RULES,
  dependentRequired: dependencyRule('dependentRequired'),
};
const OLD_ITEMS: Rules = { items: itemsBefore2020Rule, additionalItems: itemsBefore2020Rule };

/** Rules of draft 4. Drafts without vocabularies have a single entry. */
export const DRAFT_4: Vocabularies = {
  all: {
    ...REF,
    ...MEMBERS,
    ...OLD_ITEMS,
    ...LOGIC,
    ...VALUES,
    ...NUMBER_RULES_OF_DRAFT_4,
    ...DEPENDENCIES,
    format: formatRule(OLD_FORMATS),
  },
};
export const DRAFT_6: Vocabularies = {
  all: { ...DRAFT_4['all'], ...NUMBER_RULES, ...CONST, ...CONTAINS_BEFORE_2019, ...NAMES },
};
export const DRAFT_7: Vocabularies = { all: { ...DRAFT_6['all'], ...CONDITION, ...FORMAT } };

export const DRAFT_2019_09: Vocabularies = {
  core: { ...REF, $recursiveRef: recursiveRefRule },
  applicator: {
    ...MEMBERS,
    ...OLD_ITEMS,
    ...LOGIC,
    ...CONDITION,
    ...CONTAINS_OF_2019,
    ...NAMES,
    ...DEPENDENT,
    ...UNEVALUATED,
  },
  validation: VALIDATION,
  format: FORMAT,
};

export const DRAFT_2020_12: Vocabularies = {
  core: { ...REF, $dynamicRef: dynamicRefRule },
  applicator: {
    ...MEMBERS,
    prefixItems: prefixItemsRule,
    items: itemsRule,
    ...LOGIC,
    ...CONDITION,
    ...CONTAINS,
    ...NAMES,
    ...DEPENDENT,
  },
  unevaluated: UNEVALUATED,
  validation: VALIDATION,
  'format-annotation': FORMAT,
  'format-assertion': FORMAT,
};

import { isNonPresenceContainer, type SchemaNode, valueOf } from '../tree/schema-node.js';
import {
  allAbsent,
  anyPresent,
  type CaseMembers,
  caseRules,
  casesOf,
  choiceRules,
  contentOf,
  isArrayNode,
  type MemberRules,
  objectRules,
} from './choice-rules.js';
import type { Schema } from './definitions.js';
import { hiddenRules } from './dialect.js';

/** Keywords of an object: the members that are always shown, and the branches of its choices. */
interface Branches {
  /** Nodes that are members of no branch. */
  readonly shown: readonly SchemaNode[];
  readonly required: readonly string[];
  readonly keywords: Schema;
}

/** Writes the members of objects whose choices are branches, from which a user selects one. */
export class ChoiceBranches {
  readonly #rules: MemberRules;
  readonly #properties: (nodes: readonly SchemaNode[]) => Schema;

  /** `properties` returns the keyword `properties` of data nodes. */
  constructor(rules: MemberRules, properties: (nodes: readonly SchemaNode[]) => Schema) {
    this.#rules = rules;
    this.#properties = properties;
  }

  /**
   * Returns the keywords of an object with these nodes. The first choice is written as `oneOf`, the second one as
   * `anyOf` of branches that exclude each other. The members of further choices are always shown, because a form
   * library has no menu for a third choice. `mayBeEmpty` is true if an object without content is valid in spite of
   * mandatory nodes.
   */
  of(nodes: readonly SchemaNode[], mayBeEmpty = false): Branches {
    const choices = nodes.filter((node) => node.kind === 'choice' && this.#rules.isIncluded(node));
    const [first, second] = choices.filter((choice) => casesOf(choice, this.#rules).length > 1);
    const rules = choices.flatMap((choice) =>
      choice === first || choice === second ? this.#contentRule(choice) : choiceRules(choice, this.#rules),
    );
    return {
      shown: nodes.filter((node) => node !== first && node !== second),
      required: objectRules(nodes, this.#rules).required,
      keywords: {
        ...(first && { oneOf: this.#branches(first, mayBeEmpty) }),
        ...(second && { anyOf: this.#branches(second, mayBeEmpty) }),
        ...hiddenRules(mayBeEmpty ? [] : rules),
      },
    };
  }

  #contentRule(choice: SchemaNode): readonly Schema[] {
    const members = casesOf(choice, this.#rules).flatMap((branch) => branch.members);
    const isBranchRule = !members.some((node) => isNonPresenceContainer(node));
    return this.#rules.isNeeded(choice) && !isBranchRule ? [contentOf(members, this.#rules)] : [];
  }

  #branches(choice: SchemaNode, mayBeEmpty: boolean): readonly Schema[] {
    const cases = casesOf(choice, this.#rules);
    const first = this.#rules.isNeeded(choice) && !mayBeEmpty ? undefined : this.#initialCase(choice, cases);
    // A form library selects the first branch if the data contains no node of the choice.
    const ordered = first ? [first, ...cases.filter((one) => one !== first)] : cases;
    return ordered.map((one) => this.#branch(one, { cases, acceptsNone: one === first }));
  }

  /**
   * Returns the case whose branch accepts data without any node of the choice: the default case, or a case without
   * mandatory nodes. A separate branch would be selected again whenever the selected case is still empty.
   */
  #initialCase(choice: SchemaNode, cases: readonly CaseMembers[]): CaseMembers | undefined {
    const name = valueOf(choice, 'default');
    return (
      cases.find(({ branch }) => branch.name === name) ??
      cases.find(
        ({ members, inner }) => inner.required.length === 0 && !members.some(isNonPresenceContainer),
      ) ??
      cases[0]
    );
  }

  /** Returns the branch of a case. `acceptsNone` is true if the branch accepts an object without any of the nodes. */
  #branch(
    one: CaseMembers,
    { cases, acceptsNone }: { readonly cases: readonly CaseMembers[]; readonly acceptsNone: boolean },
  ): Schema {
    const { branch, members } = one;
    // The rules of such a case apply only if it has content.
    const isConditional = acceptsNone || members.some((node) => isNonPresenceContainer(node));
    const { shown, required, keywords } = this.of(branch.children, isConditional);
    const excluded = cases.flatMap((other) =>
      other === one ? [] : [anyPresent(other.members, this.#rules)],
    );
    const [only] = members;
    const isAlone = members.length === 1 && only !== undefined && !acceptsNone;
    const isRequired = isAlone && !isArrayNode(only);
    const presence = acceptsNone || isRequired ? [] : [allAbsent(members, this.#rules)];
    const requiredNames = isRequired ? [this.#rules.nameOf(only)] : isConditional ? [] : required;
    const conditional = isConditional ? caseRules(one, this.#rules) : [];
    const { not, ...others } = keywords;
    return {
      title: branch.name,
      // A form library needs the type in each branch.
      type: 'object',
      properties: this.#properties(shown),
      ...(requiredNames.length > 0 && { required: requiredNames }),
      ...others,
      not: {
        anyOf: [
          ...excluded,
          ...presence,
          ...conditional.map((rule) => ({ not: rule })),
          ...(not === undefined ? [] : [not]),
        ],
      },
    };
  }
}

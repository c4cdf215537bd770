import { isSubtreeLeftOut } from '../../../../../src/form-model/schema-subtrees.js';
import { memberOf } from '../../../../../src/json/json-object.js';
import type { Shape } from '../json/align-lists.js';
import type { Json } from '../json/json.js';
import { conditionalParts, isConditional } from './conditions.js';
import { type FieldKind, kindOf } from './field-kind.js';
import { keyword, textKeyword, textsOf } from './keywords.js';
import { additionalParts, declaredNames, isDeclared, isTuple, itemParts, memberParts } from './members.js';
import type { FieldSource, SchemaPart } from './schema-document.js';
import { inUiOrder, uiItem, uiKey, uiMember, uiText, uiWidget, withUiDefinitions } from './ui.js';
import { type Union, unionsOf, withAlternatives } from './variants.js';
import { type Choice, choicesOf, type YangFacts, yangFacts } from './yang.js';

/**
 * The combined schema and uiSchema of one location of the data, with references followed and `allOf` merged.
 * Every property is computed on first use and cached, so that only visited parts of a schema cost time.
 */
export class Field implements Shape {
  readonly source: FieldSource;
  #kind: FieldKind | undefined;
  #yang: YangFacts | undefined;
  #names: readonly string[] | undefined;
  #leftOut: readonly string[] | undefined;
  #nameSet: ReadonlySet<string> | undefined;
  #shownNames: readonly string[] | undefined;
  #conditional: boolean | undefined;
  #required: ReadonlySet<string> | undefined;
  #choices: readonly Choice[] | undefined;
  #unions: readonly Union<Field>[] | undefined;
  #chosen: Map<string, Field> | undefined;
  // Most fields have no members, and most of those with members are never visited.
  #members: Map<string, Field> | undefined;
  #additionalParts: Map<string, readonly SchemaPart[] | undefined> | undefined;
  #items: Field[] | undefined;
  #tuple: boolean | undefined;
  #resolved: Map<string, Field> | undefined;

  constructor(source: FieldSource) {
    this.source = source;
  }

  get parts(): readonly SchemaPart[] {
    return this.source.parts;
  }

  get kind(): FieldKind {
    return (this.#kind ??= kindOf(this));
  }

  get yang(): YangFacts {
    return (this.#yang ??= yangFacts(this.parts));
  }

  get title(): string {
    const { ui, key, alternative = [] } = this.source;
    // The chosen alternative has its own label: it does not name the field.
    const own = this.parts.filter(({ schema }) => !alternative.includes(String(schema['title'])));
    return uiText(ui, 'title') ?? textKeyword(own, 'title') ?? key.replace(/^[A-Za-z_][\w.-]*:/, '');
  }

  get description(): string | undefined {
    return uiText(this.source.ui, 'description') ?? textKeyword(this.parts, 'description');
  }

  /** Pointers of the schemas whose members are left out: the form loads them when the field is opened. */
  get leftOut(): readonly string[] {
    return (this.#leftOut ??= this.parts.flatMap(({ schema, pointer }) =>
      isSubtreeLeftOut(schema) ? [pointer] : [],
    ));
  }

  /** Names of the members in the schema, in the order of the form. */
  get names(): readonly string[] {
    return (this.#names ??= inUiOrder(declaredNames(this.source.orderedParts ?? this.parts), this.source.ui));
  }

  get nameSet(): ReadonlySet<string> {
    return (this.#nameSet ??= new Set(this.names));
  }

  /** Names of members that have rows: those that the uiSchema does not hide. */
  get shownNames(): readonly string[] {
    return (this.#shownNames ??= this.names.filter(
      (name) => uiWidget(uiMember(this.source.ui, name)) !== 'hidden',
    ));
  }

  get required(): ReadonlySet<string> {
    return (this.#required ??= new Set(this.parts.flatMap(({ schema }) => textsOf(schema['required']))));
  }

  get choices(): readonly Choice[] {
    return (this.#choices ??= choicesOf(this.ui('choices'), this.parts));
  }

  /** Each `oneOf` and `anyOf`, unless it only adds rules. */
  get unions(): readonly Union<Field>[] {
    return (this.#unions ??= unionsOf<Field>(this));
  }

  /** The alternatives of the first union; most fields have at most one. */
  get variants(): readonly Field[] {
    return this.unions[0]?.variants ?? [];
  }

  /** Returns the field with an alternative of each union; `undefined` for a union without a choice. */
  choose(chosen: readonly (number | undefined)[]): Field {
    const [first] = chosen;
    if (chosen.length === 1) return first === undefined ? this : (this.variants[first] ?? this);
    const name = chosen.join();
    const known = this.#chosen?.get(name);
    if (known) return known;
    const field = withAlternatives<Field>(this, this.unions, chosen);
    (this.#chosen ??= new Map()).set(name, field);
    return field;
  }

  get keys(): readonly string[] {
    return this.yang.keys;
  }

  keyword(name: string): unknown {
    return keyword(this.parts, name);
  }

  ui(name: string): unknown {
    return uiKey(this.source.ui, name);
  }

  /** Returns true if the schema describes members with this name. */
  describes(name: string): boolean {
    return isDeclared(this.parts, name) || this.#additionalPartsOf(name) !== undefined;
  }

  /** Returns the field of a member; for an undescribed member, a field without keywords. */
  member(name: string): Field {
    const known = this.#members?.get(name);
    if (known) return known;
    const { document, ui, path, memberChoices } = this.source;
    const choices = memberChoices?.get(name);
    const declared = memberParts(document, this.parts, name);
    const parts = declared.length > 0 ? declared : (this.#additionalPartsOf(name) ?? []);
    const memberUi = withUiDefinitions(uiMember(ui, name), document.uiDefinitions, parts);
    const field = new Field({
      ...{ document, parts, ui: memberUi, key: name, path: `${path}/${name}` },
      ...(choices && { choices }),
    });
    (this.#members ??= new Map()).set(name, field);
    return field;
  }

  /** Cached, because matching a thousand patterns against each of a thousand names is slow. */
  #additionalPartsOf(name: string): readonly SchemaPart[] | undefined {
    this.#additionalParts ??= new Map();
    if (!this.#additionalParts.has(name))
      this.#additionalParts.set(name, additionalParts(this.source.document, this.parts, name));
    return this.#additionalParts.get(name);
  }

  /** Returns the field of an item; in most lists all items share one field. */
  item(index: number): Field {
    const { ui } = this.source;
    this.#tuple ??= isTuple(this.parts) || Array.isArray(memberOf(ui, 'items'));
    const at = this.#tuple ? index : 0;
    this.#items ??= [];
    return (this.#items[at] ??= this.#itemAt(at));
  }

  #itemAt(index: number): Field {
    const { document, parts, ui, path } = this.source;
    const items = itemParts(document, parts, index);
    const itemUi = withUiDefinitions(uiItem(ui, index), document.uiDefinitions, items);
    return new Field({ document, parts: items, ui: itemUi, key: '', path: `${path}/*` });
  }

  /**
   * Returns the field with the schemas that `if`, `dependentSchemas` and similar keywords add for this value.
   */
  resolvedFor(value: Json | undefined): Field {
    const { parts, orderedParts, document, hasResolvedConditions } = this.source;
    this.#conditional ??= hasResolvedConditions !== true && parts.some(isConditional);
    if (!this.#conditional) return this;
    const { parts: conditional, choices } = conditionalParts(document, parts, value);
    if (conditional.length === 0 && choices.size === 0) return this;
    const name = conditional.map(({ pointer }) => pointer).join(' ');
    const known = this.#resolved?.get(name);
    if (known) return known;
    const field = this.with({
      parts: [...parts, ...conditional],
      ...(orderedParts && { orderedParts: [...orderedParts, ...conditional] }),
      hasResolvedConditions: true,
      memberChoices: choices,
    });
    (this.#resolved ??= new Map()).set(name, field);
    return field;
  }

  /** Returns a copy with other source properties. */
  with(changes: Partial<FieldSource>): Field {
    return new Field({ ...this.source, ...changes });
  }

  memberShape(this: Field, name: string): Shape | undefined {
    if (this.describes(name)) return this.member(name);
    const variants = this.unions.flatMap((union) => union.variants);
    return variants.find((variant) => variant.describes(name))?.member(name);
  }

  itemShape(this: Field): Shape {
    return this.item(0);
  }
}

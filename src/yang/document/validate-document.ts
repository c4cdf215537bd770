import { isJsonObject } from '../../json/json-object.js';
import type { Content } from '../json-schema/annotations.js';
import type { LinkedModules } from '../link.js';
import { isInsideOperation } from '../tree/schema-node.js';
import { ValueCheck } from '../types/value-check.js';
import { Evaluator } from '../xpath/evaluate.js';
import { AnnotationCheck, type Annotations, annotationsOf } from './annotation-check.js';
import { Conditions } from './conditions.js';
import { DocumentAccess, IdentityIndex } from './data-access.js';
import { type DataChildren, DataDefinitions } from './data-definition.js';
import type { DataNode } from './data-node.js';
import { Defaults } from './defaults.js';
import { documentSchema, type DocumentChoice, type DocumentSchema, emptyTree } from './document-scope.js';
import { InstanceFinder } from './instance-identifier.js';
import { DocumentReader } from './read-document.js';
import { References } from './references.js';
import { type DocumentLimits, StepBudget } from './step-budget.js';
import { StructureCheck } from './structure-check.js';
import { type CompilePattern, ValueReader } from './value-reader.js';
import { type DataViolation, ViolationList } from './violations.js';

/** Options of {@link openDocumentValidator}. */
export interface DocumentValidatorOptions extends DocumentChoice {
  /** `config` (default) for configuration only, `all` to include state. */
  readonly content?: Content;
  /** Compiles the patterns of types and of `re-match()`. */
  readonly compilePattern: CompilePattern;
  readonly limits?: Partial<DocumentLimits>;
}

/** Result of the validation of a document. */
export interface DocumentValidation {
  /** At most 100 violations. */
  readonly violations: readonly DataViolation[];
  /** True if there are more violations. */
  readonly isTruncated: boolean;
  /** Number of steps that the validation took, which depends only on the model and the document. */
  readonly steps: number;
}

/** Validates documents of one model. Throws `ValidationTooCostly`. */
export interface DocumentValidator {
  /** Data nodes at the top of the documents. */
  readonly children: DataChildren;
  /** `violations` has those that the encoding of the document caused, and takes the others. */
  validate(document: unknown, violations?: ViolationList): DocumentValidation;
}

/**
 * Opens the validator of the RFC 7951 documents of compiled modules. It applies all rules of RFC 7950, also those that JSON
 * Schema cannot express: `when`, `must`, references, `unique` and defaults. Returns `refused` if the model has no such
 * document.
 */
export function openDocumentValidator(
  linked: LinkedModules,
  options: DocumentValidatorOptions,
): DocumentValidator | { readonly refused: string } {
  const { content = 'config' } = options;
  const definitions = new DataDefinitions(
    (node) => content === 'all' || node.config || isInsideOperation(node),
  );
  const schema = documentSchema(linked, definitions, options);
  if ('refused' in schema) return schema;
  const model: Model = {
    linked,
    schema,
    definitions,
    options,
    values: new ValueReader(linked.names, options.compilePattern),
    identities: new IdentityIndex(linked.all),
    annotations: annotationsOf(linked.all, linked),
  };
  return {
    children: schema.children,
    validate: (document, violations) => new Validation(model, violations).run(document),
  };
}

/** What the validations of all documents share. */
interface Model {
  readonly linked: LinkedModules;
  readonly schema: DocumentSchema;
  readonly definitions: DataDefinitions;
  readonly options: DocumentValidatorOptions;
  readonly values: ValueReader;
  readonly identities: IdentityIndex;
  readonly annotations: Annotations;
}

/** Validation of one document. */
class Validation {
  readonly #model: Model;
  readonly #budget: StepBudget;
  readonly #violations: ViolationList;
  readonly #top: DataNode;
  readonly #conditions: Conditions;
  readonly #evaluator: Evaluator;
  readonly #references: References;
  #order = 0;

  constructor(model: Model, violations = new ViolationList()) {
    const { linked, schema, values, identities, options } = model;
    this.#model = model;
    const budget = (this.#budget = new StepBudget(options.limits));
    const { root, top } = emptyTree(schema);
    this.#top = top;
    const { names, unenforced } = linked;
    this.#violations = violations;
    const evaluator = (): Evaluator => this.#evaluator;
    const conditions = new Conditions({ names, root, budget, violations, unenforced, evaluator });
    const instances = new InstanceFinder({ root, children: schema.children, values, evaluator });
    this.#conditions = conditions;
    this.#references = new References({ names, root, conditions, evaluator, instances, violations });
    this.#evaluator = new Evaluator(
      new DocumentAccess({
        budget,
        root,
        modules: schema.modules,
        conditions,
        references: () => this.#references,
        values,
        identities,
        compilePattern: options.compilePattern,
        statement: this.#anyStatement(),
      }),
    );
  }

  run(document: unknown): DocumentValidation {
    this.#read(document);
    this.#addDefaults();
    this.#number(this.#top);
    this.#visit(this.#top, (node) => this.#conditions.exists(node));
    this.#visit(this.#top, (node) => {
      this.#budget.rule = `the references at ${node.pointer.slice(0, 200)}`;
      this.#references.check(node);
    });
    this.#visit(this.#top, (node) => {
      if (node.definition) this.#conditions.checkMusts(node, node.definition.musts);
    });
    this.#checkStructure();
    const { list, isTruncated } = this.#violations;
    return { violations: list, isTruncated, steps: this.#budget.steps };
  }

  #read(document: unknown): void {
    const { schema, values, annotations } = this.#model;
    const violations = this.#violations;
    if (!isJsonObject(document)) {
      violations.add({ pointer: '', rule: 'type', message: 'must be an object' });
      return;
    }
    const root = this.#anyRoot();
    const check = new AnnotationCheck({ annotations, values, violations, root });
    const reader = new DocumentReader({ values, annotations: check, budget: this.#budget, violations });
    reader.readMembers(this.#top, document, schema.children);
  }

  #addDefaults(): void {
    const { linked, schema, definitions, values } = this.#model;
    const defaultValues = new ValueCheck(linked.names);
    const defaults = new Defaults({ definitions, defaultValues, values, budget: this.#budget });
    defaults.addTo(this.#top, schema.nodes);
    this.#top.sort(schema.children.list);
  }

  #checkStructure(): void {
    const { linked, schema, definitions } = this.#model;
    this.#budget.rule = 'the structure of the document';
    const check = new StructureCheck({
      names: linked.names,
      definitions,
      conditions: this.#conditions,
      budget: this.#budget,
      violations: this.#violations,
    });
    check.check(this.#top, schema.nodes);
    this.#visit(this.#top, (node) => {
      if (node.definition && !node.isLeaf) check.check(node, node.definition.node.children);
    });
  }

  /** Numbers the nodes in document order. */
  #number(node: DataNode): void {
    this.#order += 1;
    node.order = this.#order;
    for (const group of node.groups()) for (const child of group) this.#number(child);
  }

  /** Visits the nodes that exist below a node, parents before children. */
  #visit(node: DataNode, visit: (node: DataNode) => unknown): void {
    for (const group of node.groups())
      for (const child of group) {
        if (child.presence === 'absent') continue;
        this.#budget.spend(1);
        visit(child);
        // A condition may have removed the node.
        if (!isAbsent(child)) this.#visit(child, visit);
      }
  }

  #anyRoot() {
    const [root] = this.#model.linked.trees.roots();
    if (!root) throw new Error('there are no modules');
    return root;
  }

  #anyStatement() {
    return this.#anyRoot().statement;
  }
}

function isAbsent({ presence }: DataNode): boolean {
  return presence === 'absent';
}

import type { AdapterMethod } from '../../core/adapter-method.js';
import type { Fault } from '../../core/fault.js';

export interface Place {
  readonly file: string;
  readonly pointer: string;
}

export interface DocumentTask {
  /** Absolute path of the document. */
  readonly file: string;
  /** Names of the chosen methods; `*` matches any number of characters. */
  readonly methods: readonly string[];
  /** Lower-case names of the headers, query parameters and cookies that the adapter sets itself. They are no arguments. */
  readonly ownNames: Readonly<Record<'headers' | 'parameters' | 'cookies', readonly string[]>>;
}

/** Serialization of a parameter. `tabDelimited` is the `tsv` of Swagger 2.0. */
export type ParameterStyle =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject';

/** How a value becomes text. */
export interface Encoding {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  /** True if reserved characters of a query stay as they are. */
  readonly allowReserved?: boolean;
  readonly isJson?: boolean;
}

/** A parameter of an operation, and the argument that has its value. */
export interface ParameterPlan extends Encoding {
  readonly argument: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
}

/** A member of a body, or the part of a form. */
export interface MemberPlan {
  readonly argument: string;
  readonly name: string;
}

/** How the members of a form become text. */
export interface FormEncoding extends Encoding {
  /** Media type of a part of `multipart/form-data`. */
  readonly contentType?: string;
  /** True for a file, whose argument is base64. */
  readonly isBinary?: boolean;
}

export interface BodyPlan {
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'binary';
  readonly mediaType: string;
  readonly isRequired: boolean;
  /** The argument that is the body, or the arguments that are its members. */
  readonly from: string | readonly MemberPlan[];
  /** By the name of a member of a form. A member without one is a form parameter, repeated for a list. */
  readonly encodings: Readonly<Record<string, FormEncoding>>;
}

/** How a call of a method becomes a request. */
export interface CallPlan {
  /** HTTP method in capitals. */
  readonly method: string;
  /** Path with `{names}` of parameters. */
  readonly path: string;
  readonly accept: string;
  readonly parameters: readonly ParameterPlan[];
  readonly body?: BodyPlan;
}

/** A part of the text of a {@link DocumentResult}, from and to these bytes. */
export type TextRange = readonly [from: number, to: number];

/** A schema that others refer to as `#/$defs/<name>`, and the names that it refers to itself. */
export interface Definition {
  readonly name: string;
  readonly at: TextRange;
  readonly uses: readonly string[];
}

/** What people read of an operation. */
type Words = Omit<AdapterMethod, 'input' | 'output'>;

/** A chosen operation. The text at `at` is a {@link MethodText}. */
export interface MethodEntry extends Words {
  readonly at: TextRange;
  /** Digest of all that a caller sees and of what is sent; equal for an unchanged operation. */
  readonly digest: string;
}

/** What the text of a method has, as JSON. */
export interface MethodText {
  readonly plan: CallPlan;
  readonly input: object;
  /** Names of the definitions that the input refers to. */
  readonly inputUses: readonly string[];
  /** Schema of the JSON of a successful reply, and its status. */
  readonly output?: { readonly status: string; readonly schema: object; readonly uses: readonly string[] };
}

/** An operation of the document, chosen or not. */
export interface OperationEntry extends Words {
  readonly method: string;
  readonly path: string;
}

/** What a document says about the orchestrator. */
export interface DocumentInfo {
  /** Version of OpenAPI, for example `3.0.3`. */
  readonly version: string;
  readonly title: string;
  /** URLs of its servers. They are not used for calls. */
  readonly servers: readonly string[];
  /** Security schemes by name, as the document has them. */
  readonly securitySchemes: Readonly<Record<string, unknown>>;
  /** Names of all query parameters of operations that read. */
  readonly queryParameters: readonly string[];
}

export interface DocumentResult {
  /** Faults of the document. With one that is no warning, there are no methods. */
  readonly faults: readonly DocumentFault[];
  /** Patterns of the task that match no operation, and the nearest name. */
  readonly unmatched: readonly { readonly at: number; readonly suggestion: string }[];
  /** The files that were read: the document, and those that it refers to. */
  readonly files: readonly string[];
  readonly info: DocumentInfo;
  readonly operations: readonly OperationEntry[];
  readonly methods: readonly MethodEntry[];
  /** Schemas of requests and of replies, which differ in what is only read or only written. */
  readonly requestDefinitions: readonly Definition[];
  readonly replyDefinitions: readonly Definition[];
  /** UTF-8 of all methods and definitions. */
  readonly text: Uint8Array<ArrayBuffer>;
}

/** A fault of a document. A warning refuses nothing. */
export interface DocumentFault extends Fault {
  readonly isWarning?: boolean;
}

import { isList, type Json, jsonFrom } from '../json/json.js';
import type { Editor, Option } from '../types.js';
import { isEmptyLeaf } from './field-kind.js';
import type { Field } from './field.js';
import { enumOptions, exampleOptions, namedOptions } from './options.js';
import { scalarTypes } from './type-label.js';
import { uiWidget } from './ui.js';

/** Maximum number of options in a menu by default; longer lists get a combobox with a search. */
const MAX_MENU_OPTIONS = 30;

/** Maximum number of options in a menu or a set of checkboxes; more options freeze the page. */
const MAX_OPTIONS = 300;

const NO_EDITOR: Editor = { kind: 'none' };

/** Returns the editor for values of a field, without options that depend on data or other services. */
export function editorOf(field: Field): Editor {
  switch (field.kind) {
    case 'leaf':
      return leafEditor(field);
    case 'leaf-list':
      return checkboxesOf(field) ?? NO_EDITOR;
    case 'json':
      return { kind: 'json' };
    default:
      return NO_EDITOR;
  }
}

/** Returns the editor of a leaf; more specific editors take precedence. */
function leafEditor(field: Field): Editor {
  return namedEditor(field) ?? widgetEditor(field) ?? typedEditor(field);
}

function namedEditor(field: Field): Editor | undefined {
  if (isEmptyLeaf(field)) return { kind: 'empty', value: [null] };
  const constant = field.keyword('const');
  if (constant !== undefined) return { kind: 'constant', value: jsonFrom(constant) };
  const bits = namedOptions(field.yang.all['bits']);
  if (bits.length > 0 && bits.length <= MAX_OPTIONS) return { kind: 'bits', options: bits };
  const options = enumOptions(field);
  return options.length > 0 ? optionsEditor(field, options) : undefined;
}

function optionsEditor(field: Field, options: readonly Option[]): Editor {
  const identities = field.yang.all['identities'] !== undefined || field.yang.type === 'identityref';
  const widget = uiWidget(field.source.ui);
  if (identities) return { kind: 'combobox', options, source: 'identityref' };
  if (options.length > (widget === 'select' ? MAX_OPTIONS : MAX_MENU_OPTIONS))
    return { kind: 'combobox', options, source: 'enum' };
  return { kind: 'select', options, radio: widget === 'radio' };
}

type FileEditing = Extract<Editor, { readonly isUrl: boolean }>;

const WIDGETS: Readonly<Record<string, Editor>> = {
  date: { kind: 'date' },
  time: { kind: 'time' },
  datetime: { kind: 'date-time' },
  'date-time': { kind: 'date-time' },
  color: { kind: 'color' },
  file: { kind: 'file', isUrl: true },
  signature: { kind: 'signature', isUrl: true },
  textarea: { kind: 'text', multiline: true, secret: false },
  password: { kind: 'text', multiline: false, secret: true },
};

function widgetEditor(field: Field): Editor | undefined {
  if (isSecretField(field)) return secretEditor(field);
  const named = WIDGETS[uiWidget(field.source.ui) ?? ''];
  const format = field.keyword('format');
  const isBase64 = field.keyword('contentEncoding') === 'base64';
  if (named && 'isUrl' in named) return { ...fileEditor(field, !isBase64), kind: named.kind };
  if (named) return named;
  if (isBase64 || format === 'data-url') return fileEditor(field, !isBase64);
  return format === 'date' || format === 'time' || format === 'date-time' || format === 'color'
    ? WIDGETS[format]
    : undefined;
}

/** Returns the editor of a file; `accept` and `capture` of `ui:options` are for the dialog of the browser. */
function fileEditor(field: Field, isUrl: boolean): FileEditing {
  const texts = {
    accept: field.ui('accept'),
    capture: field.ui('capture'),
    mediaType: field.keyword('contentMediaType'),
  };
  const given = Object.entries(texts).filter(([, text]) => typeof text === 'string' && text !== '');
  return { kind: 'file', isUrl, ...Object.fromEntries(given) };
}

/** Returns the editor of a secret: with examples, which are references and not secret, a list of them. */
function secretEditor(field: Field): Editor | undefined {
  const options = exampleOptions(field);
  if (options.length === 0) return WIDGETS['password'];
  return { kind: 'combobox', options, source: 'examples', secret: true };
}

function typedEditor(field: Field): Editor {
  const types = scalarTypes(field);
  const wanted = types.filter((type) => type !== 'null');
  const [only] = wanted;
  if (wanted.length === 1 && only === 'boolean') return booleanEditor(field, types.length > 1);
  if (wanted.length === 1 && (only === 'integer' || only === 'number')) return numberEditor(field, only);
  const unionOptions = field.variants.flatMap(enumOptions);
  if (unionOptions.length > 0) {
    const closed = field.variants.every((variant) => enumOptions(variant).length > 0);
    if (closed) return optionsEditor(field, unionOptions);
    return { kind: 'combobox', options: unionOptions, source: 'examples' };
  }
  const examples = exampleOptions(field);
  if (examples.length > 0) return { kind: 'combobox', options: examples, source: 'examples' };
  return textEditor(field);
}

/** Minimum `maxLength` of a text that gets several lines. */
const MAX_LINE_LENGTH = 200;

const KEYBOARDS: Readonly<Record<string, 'email' | 'url' | 'tel'>> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'url',
  iri: 'url',
  tel: 'tel',
};

/** Returns the editor of a text: several lines if it may be long and has no pattern or format. */
function textEditor(field: Field): Editor {
  const [format, maxLength] = [field.keyword('format'), field.keyword('maxLength')];
  const keyboard =
    KEYBOARDS[uiWidget(field.source.ui) ?? ''] ?? KEYBOARDS[typeof format === 'string' ? format : ''];
  const isLong = typeof maxLength === 'number' && maxLength > MAX_LINE_LENGTH;
  const isWord = format !== undefined || field.keyword('pattern') !== undefined;
  const wantsLine = uiWidget(field.source.ui) === 'text';
  return {
    kind: 'text',
    multiline: isLong && !isWord && !wantsLine && keyboard === undefined,
    secret: false,
    ...(keyboard !== undefined && { keyboard }),
  };
}

function booleanEditor(field: Field, nullable: boolean): Editor {
  const widget = uiWidget(field.source.ui);
  if (widget !== 'radio' && widget !== 'select' && !nullable) return { kind: 'checkbox' };
  const options = [...booleanOptions(field), ...(nullable ? [{ value: null, label: 'null' }] : [])];
  return { kind: 'select', options, radio: widget === 'radio' };
}

/** Returns the options of a boolean, with their titles from `ui:enumNames`. */
export function booleanOptions(field: Field): readonly Option[] {
  return [true, false].map((value) => ({ value, label: booleanLabel(field, value) }));
}

function booleanLabel(field: Field, value: boolean): string {
  const names = field.ui('enumNames');
  const name: unknown = Array.isArray(names) ? names[value ? 0 : 1] : undefined;
  return typeof name === 'string' ? name : String(value);
}

function numberEditor(field: Field, type: 'integer' | 'number'): Editor {
  const limit = (name: string) => {
    const value = field.keyword(name);
    return typeof value === 'number' ? String(value) : undefined;
  };
  const [minimum, maximum] = [limit('minimum'), limit('maximum')];
  return {
    kind: 'number',
    integer: type === 'integer',
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

function checkboxesOf(field: Field): Editor | undefined {
  const options = enumOptions(field.item(0));
  const wanted = uiWidget(field.source.ui) === 'checkboxes' || field.keyword('uniqueItems') === true;
  return wanted && options.length > 0 && options.length <= MAX_MENU_OPTIONS
    ? { kind: 'checkboxes', options }
    : undefined;
}

function isSecretField(field: Field): boolean {
  return (
    ['writeOnly', 'x-secret'].some((name) => field.keyword(name) === true) ||
    field.keyword('format') === 'password'
  );
}

/** Returns the constants that a value of a field must have, for new entries and alternatives. */
export function constantOf(field: Field): Json | undefined {
  const editor = field.kind === 'leaf' ? editorOf(field) : NO_EDITOR;
  if (editor.kind === 'constant') return editor.value;
  if (editor.kind !== 'select' || editor.options.length !== 1) return undefined;
  const [only] = editor.options;
  return only && !isList(only.value) ? only.value : undefined;
}

/** Returns true for the editor of a secret, whose value is not shown outside of the editor. */
export function isSecretEditor(editor: Editor): boolean {
  return (editor.kind === 'text' || editor.kind === 'combobox') && editor.secret === true;
}

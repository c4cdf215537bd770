import { decodeUri } from '../../../../src/lib/decode-uri.js';
import { formatSize } from '../../text/locale.js';
import { type Editor, isList, type Json, labelOf, type Option, type Row } from '../model/index.js';
import { formText } from './form-text.js';

/** Maximum length of a text on one line; browsers freeze on longer lines. */
const MAX_SHOWN_LENGTH = 2000;

/** Returns the start of a text that is too long to show. */
export function brief(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)} …` : text;
}

/** Returns the value of a row as one line of text; secrets are not shown. */
export function shownText({ editor, value, text }: Row): string {
  if (editor.kind === 'text' && editor.secret) return formText('hidden');
  if (editor.kind === 'file' || editor.kind === 'signature') return fileFactsText(editor, text);
  if (isList(value)) return value.map((item) => valueText(editor, item)).join(', ');
  return value === undefined ? text : valueText(editor, value, text);
}

/** Returns a value of a field in words: the label of its option; words for true, false and null; else `text`. */
export function valueText(editor: Editor, value: Json, text = labelOf(value)): string {
  const option = 'options' in editor ? editor.options.find((one) => one.value === value) : undefined;
  if (option) return optionLabel(option);
  return value === null || typeof value === 'boolean' ? optionLabel({ value, label: labelOf(value) }) : text;
}

/** Returns the label of an option; words for true, false and null without a label of their own. */
export function optionLabel({ value, label }: Option): string {
  if (label !== labelOf(value)) return label;
  if (value === null) return formText('nullValue');
  return typeof value === 'boolean' ? formText(value ? 'yes' : 'no') : label;
}

type FileEditing = Extract<Editor, { readonly isUrl: boolean }>;

/** What a text with the bytes of a file tells. */
interface FileFacts {
  readonly name: string | undefined;
  /** Number of bytes. */
  readonly size: number;
  /** URL for an `<img>`; undefined for a file that is no picture. */
  readonly picture: string | undefined;
}

/** First letters of the base64 of pictures without a media type. */
const PICTURES: Readonly<Record<string, string>> = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGOD: 'image/gif',
};

/** Returns the facts of a file in base64 or in a `data:` URL. */
export function fileFactsOf({ isUrl, mediaType }: FileEditing, text: string): FileFacts {
  const comma = isUrl ? text.indexOf(',') : -1;
  const [type = '', ...parameters] = text.slice(isUrl ? 'data:'.length : 0, Math.max(comma, 0)).split(';');
  const name = parameters.find((each) => each.startsWith('name='))?.slice('name='.length);
  const bytes = text.slice(comma + 1);
  const known = Object.entries(PICTURES).find(([start]) => bytes.startsWith(start))?.[1];
  const kind = isUrl ? type : (mediaType ?? known ?? '');
  return {
    name: name === undefined ? undefined : decodeUri(name),
    size: Math.floor((bytes.replace(/=+$/, '').length * 3) / 4),
    picture: kind.startsWith('image/') ? (isUrl ? text : `data:${kind};base64,${bytes}`) : undefined,
  };
}

/** Returns the name, if it is known, and the size of a file. */
export function fileFactsText(editor: FileEditing, text: string, fileName?: string): string {
  const { name = fileName, size } = fileFactsOf(editor, text);
  return name === undefined ? formatSize(size) : `${name}, ${formatSize(size)}`;
}

export async function fileValue({ isUrl }: FileEditing, file: File): Promise<string> {
  let bytes = '';
  for (const byte of new Uint8Array(await file.arrayBuffer())) bytes += String.fromCharCode(byte);
  const type = file.type === '' ? 'application/octet-stream' : file.type;
  return isUrl ? `data:${type};name=${encodeURIComponent(file.name)};base64,${btoa(bytes)}` : btoa(bytes);
}

import type { Fault, LocatedFault } from '../../core/fault.js';
import { pointerTo } from '../../json/pointer.js';
import type { AdapterSettings, OpenApiSettings } from '../../settings/adapter.js';
import { type DocumentMethods, openMethods } from './document-methods.js';
import type { DocumentReader } from './document-reader.js';
import type { DocumentResult, DocumentTask } from './document-task.js';

/** A document that was read for an adapter. Pointers of faults without a file are relative to the settings of the adapter. */
interface OpenedDocument {
  readonly methods: DocumentMethods;
  readonly faults: readonly (Fault | LocatedFault)[];
  readonly warnings: readonly (Fault | LocatedFault)[];
  /** The files that the document refers to, besides itself. */
  readonly files: readonly string[];
}

interface AdapterTerms {
  readonly baseUrl?: AdapterSettings['baseUrl'];
  readonly baseUrls?: AdapterSettings['baseUrls'];
  readonly ownNames: DocumentTask['ownNames'];
  readonly movesPaths?: boolean | undefined;
}

/** Reads the document of an adapter, and opens the methods that its settings choose. */
export async function openDocument(
  { file, methods }: OpenApiSettings,
  adapter: AdapterTerms,
  reader: DocumentReader,
): Promise<OpenedDocument> {
  const result = await reader.read({ file, methods, ownNames: adapter.ownNames });
  const faults = result.faults.filter(({ isWarning = false }) => !isWarning);
  const unmatched = faults.length > 0 ? [] : result.unmatched.map(unmatchedFault);
  return {
    methods: openMethods(result),
    faults: [...faults, ...unmatched],
    warnings: [...result.faults.filter(({ isWarning }) => isWarning), ...serverWarning(result, adapter)],
    files: result.files.filter((one) => one !== file),
  };
}

function unmatchedFault({ at, suggestion }: DocumentResult['unmatched'][number]): LocatedFault {
  return {
    pointer: pointerTo('/openapi/methods', at),
    code: 'openapi',
    message: `names no method of the document${suggestion === '' ? '' : `; did you mean "${suggestion}"?`}`,
    fix: 'Use a name of "gatehouse adapter from-openapi FILE --list", or remove the line.',
  };
}

/** Warns of a path in the server of the document that the base URL lacks: the paths of the document begin after it. */
function serverWarning(
  { info }: DocumentResult,
  { baseUrl, baseUrls, movesPaths = false }: AdapterTerms,
): readonly LocatedFault[] {
  const path = serverPath(info.servers[0] ?? '');
  const [pointer, url = ''] = baseUrl === undefined ? ['/baseUrls/0', baseUrls?.[0]] : ['/baseUrl', baseUrl];
  if (movesPaths || path === '' || url.replace(/\/+$/, '').endsWith(path)) return [];
  const message = `does not end with "${path}", the path of the server in the OpenAPI document`;
  const fix = `Add "${path}" to the URL if the orchestrator has its interface there: the paths of methods begin after the URL.`;
  return [{ pointer, code: 'openapi', message, fix }];
}

/** Returns the path of the URL of a server, without a slash at its end. An empty text for a path with variables. */
function serverPath(url: string): string {
  const [, path = ''] = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/]*)?(\/[^?#]*)?/i.exec(url) ?? [];
  return path.includes('{') ? '' : path.replace(/\/+$/, '');
}

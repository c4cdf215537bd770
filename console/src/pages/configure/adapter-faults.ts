import { ADAPTER_ID_PATTERN } from '../../../../src/core/adapter-names.js';
import type { ApiProblem, ProblemError } from '../../api/problem.js';
import { textOf } from '../../text/text.js';

const text = textOf('configure');

const SETTINGS = '/properties/properties/properties';

/** The errors of a request, at the fields that the page shows. */
export interface AdapterFaults {
  readonly name: string | undefined;
  /** Errors of the settings, with pointers into the settings. */
  readonly settings: readonly ProblemError[];
  /** Errors of members that the page does not show. */
  readonly others: readonly ProblemError[];
}

export const NO_FAULTS: AdapterFaults = { name: undefined, settings: [], others: [] };

/** Returns the errors of a refused adapter at their fields, in the words of the page. */
export function adapterFaults({ code, errors }: Pick<ApiProblem, 'code' | 'errors'>): AdapterFaults {
  if (code === 'name_taken') return { ...NO_FAULTS, name: text('nameTaken') };
  const isName = ({ pointer }: ProblemError) => pointer === '/properties/name';
  const isSetting = ({ pointer }: ProblemError) => pointer === SETTINGS || pointer.startsWith(`${SETTINGS}/`);
  return {
    name: errors.some(isName) ? text('nameInvalid') : undefined,
    settings: inWords(errors.filter(isSetting)).map(({ pointer, message }) => ({
      pointer: pointer.slice(SETTINGS.length),
      message,
    })),
    others: inWords(errors.filter((error) => !isName(error) && !isSetting(error))),
  };
}

/** Returns the number of errors. */
export function faultCount({ name, settings, others }: AdapterFaults): number {
  return (name === undefined ? 0 : 1) + settings.length + others.length;
}

/** Returns errors in the words of the page: those of unknown settings propose the right name. */
export function inWords(errors: readonly ProblemError[]): readonly ProblemError[] {
  return errors.map((error) => ({ ...error, message: messageInWords(error) }));
}

function messageInWords({ pointer, message }: ProblemError): string {
  if (!UNKNOWN.test(message)) return message;
  const name = (pointer.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
  const proposed = /did you mean "([^"]+)"/i.exec(message)?.[1];
  return proposed === undefined
    ? text('unknownSettingPlain', { name })
    : text('unknownSetting', { name, proposed });
}

const UNKNOWN = /unknown|did you mean|not allowed here|is not a key/i;

/** Rule of the server for names of adapters. */
const NAME = new RegExp(ADAPTER_ID_PATTERN);

/** Returns what is wrong with a name; undefined if the server may accept it. */
export function nameFault(name: string): string | undefined {
  if (name === '') return text('nameMissing');
  return NAME.test(name) ? undefined : text('nameInvalid');
}

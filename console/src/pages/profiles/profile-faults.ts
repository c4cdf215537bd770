import type { ApiProblem, ProblemError } from '../../api/problem.js';
import { textOf } from '../../text/text.js';
import { inWords } from '../configure/adapter-faults.js';

const text = textOf('profiles');

/** The errors of a refused profile. */
interface ProfileFaults {
  /** What is wrong with the name of a new profile. */
  readonly name: string | undefined;
  /** All other errors, with pointers into the profile. */
  readonly settings: readonly ProblemError[];
}

export const NO_FAULTS: ProfileFaults = { name: undefined, settings: [] };

/** Returns the errors of a request with a profile as `properties`, in the words of the page. */
export function profileFaults({ code, errors }: Pick<ApiProblem, 'code' | 'errors'>): ProfileFaults {
  if (code === 'name_taken') return { ...NO_FAULTS, name: text('name.taken') };
  const isName = ({ pointer }: ProblemError) => pointer === '/properties/id';
  return {
    name: errors.some(isName) ? text('name.invalid') : undefined,
    settings: settingsFaults(errors.filter((error) => !isName(error))),
  };
}

/** Returns errors with pointers into the profile, which the request contains as `properties`. */
export function settingsFaults(errors: readonly ProblemError[]): readonly ProblemError[] {
  return inWords(errors).map(({ pointer, message }) => ({
    pointer: pointer.replace(/^\/properties(?=\/|$)/, ''),
    message,
  }));
}

import { ISSUE_CODES, type IssueCode } from '../../../../src/core/issue.js';
import { textOf } from '../../text/text.js';

const text = textOf('notifications');

/** Returns the name of a kind of problem: "Adapter is unreachable"; the code if it is unknown. */
export function codeName(code: string): string {
  return isIssueCode(code) ? text(`code.${code}`) : code;
}

function isIssueCode(code: string): code is IssueCode {
  return (ISSUE_CODES as readonly string[]).includes(code);
}

// What is odd about commits: an area that does not match most of the files, or no reason. Some changes belong to no folder, so
// these are warnings.
import { spawnSync } from 'node:child_process';

/** Files that accompany changes of every area. */
const ACCOMPANYING = /^(?:CHANGELOG\.md|docs\/|test\/)/;

/**
 * Returns what is wrong with a commit, as sentences. `subject` is its first line, `body` the text below, and `files` the paths of
 * the changed files.
 */
export function commitFindings({ subject, body, files }) {
  const [, areas = ''] = /^([\w, -]+): /.exec(subject) ?? [];
  if (areas === '') return ['its subject is not "area: imperative"'];
  const words = areas.split(/[, ]+/);
  const isIn = (file) => file.split('/').some((part) => words.includes(part.replace(/\..*$/, '')));
  const own = files.filter((file) => isIn(file) || !ACCOMPANYING.test(file));
  const matching = own.filter(isIn).length;
  return [
    ...(own.length > 0 && matching * 2 < own.length
      ? [`"${areas}" matches ${matching} of its ${own.length} files`]
      : []),
    ...(body.trim() === '' ? ['it has no reason in its body'] : []),
  ];
}

/** Returns a line for each finding about commits that the upstream branch does not have; without one, about the last commit. */
export function commitWarnings(root) {
  const git = (...words) => {
    const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : '';
  };
  const range =
    git('rev-parse', '--verify', '-q', '@{upstream}') === '' ? ['-1', 'HEAD'] : ['@{upstream}..HEAD'];
  // One record for each commit: hash, subject, body and files, separated by NUL.
  const log = git('log', '--no-merges', '--name-only', '--format=%x01%h%x00%s%x00%b%x00', ...range);
  return log
    .split('\u0001')
    .slice(1)
    .flatMap((record) => {
      const [commit = '', subject = '', body = '', files = ''] = record.split('\0');
      return commitFindings({ subject, body, files: files.split('\n').filter(Boolean) }).map(
        (finding) => `commit ${commit} "${subject}": ${finding}`,
      );
    });
}

const RIGHTS = 'Give the user of this process the right to write it, or set audit.file to another place.';
const PATH = 'A part of its path is a file: correct audit.file.';
const ADVICE: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder: let audit.file name a file in it.',
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EROFS: 'Its file system is read-only: set audit.file to another place.',
  ENOSPC: 'The disk is full: make room.',
  ENOTDIR: PATH,
  EEXIST: PATH,
};

/** Creates the error for an audit file that cannot be opened, with advice for the operator. */
export function openFault(path: string, cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  const why = code === 'unknown' && cause instanceof Error ? cause.message : code;
  const advice = ADVICE[code] ?? 'Check audit.file.';
  return new Error(`The audit file ${path} cannot be opened (${why}). ${advice}`, { cause });
}

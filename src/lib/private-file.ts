/** Owner and mode of a file, as `fs.Stats` has them. */
interface FileMode {
  readonly mode: number;
  readonly uid: number;
}

const GROUP_AND_OTHERS = 0o077;
/** Every right of a group and of others, except that a group may read. */
const MORE_THAN_GROUP_READ = 0o037;

/**
 * Returns true if only the owner of a key file may access it. If the owner is root and this process runs as
 * another user, its group may read the file as well: Kubernetes mounts secrets in this way for `fsGroup`.
 * PostgreSQL has the same rule for its keys. `processUser` is the effective user of this process.
 */
export function isPrivateMode({ mode, uid }: FileMode, processUser = process.geteuid?.()): boolean {
  const isSharedByRoot = uid === 0 && processUser !== 0;
  return (mode & (isSharedByRoot ? MORE_THAN_GROUP_READ : GROUP_AND_OTHERS)) === 0;
}

/** Returns the advice for a file that {@link isPrivateMode} rejects. */
export function privateModeAdvice(file: string): string {
  return `Run: chmod 600 ${file}. In Kubernetes, mount the secret with defaultMode: 0440 and an fsGroup.`;
}

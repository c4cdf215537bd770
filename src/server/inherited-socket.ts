/** The first descriptor that a service manager hands over (sd_listen_fds(3)). */
const FIRST = 3;

/** The socket that a service manager has opened for this process, which listens already; undefined where there is none. */
export function inheritedSocket(
  { LISTEN_PID, LISTEN_FDS }: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  if (LISTEN_PID !== String(pid) || !/^[1-9]\d*$/.test(LISTEN_FDS ?? '')) return undefined;
  if (LISTEN_FDS !== '1')
    throw new Error(`One socket is wanted, and there are ${LISTEN_FDS ?? ''}. Name one ListenStream alone.`);
  return FIRST;
}

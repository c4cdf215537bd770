/** Python program that enables the loopback interface and then becomes the program in its arguments. */
const ENABLE_LOOPBACK = `
import fcntl, os, socket, struct, sys
SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
    fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack('16sh', b'lo', IFF_UP | IFF_RUNNING))
os.execvp(sys.argv[1], sys.argv[1:])
`;

/** Returns the command that runs a command in a network namespace with nothing but loopback. */
export function inNetworkNamespace(
  python: string,
  command: readonly string[],
): readonly [string, ...string[]] {
  return ['unshare', '--map-root-user', '--net', python, '-c', ENABLE_LOOPBACK, ...command];
}

/** Address that a server listens on. */
export interface ListenAddress {
  /** Without brackets. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** Parses `host:port`; an IPv6 host is in brackets. Throws an Error that shows the expected form. */
export function parseListen(listen: string): ListenAddress {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s/]+)):(\d{1,5})$/.exec(listen);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || port > 65535)
    throw new Error(
      `server.listen is "${listen}". Write host:port, for example 127.0.0.1:3000 or [::1]:3000.`,
    );
  return { host, port };
}

/** Formats an address for a URL. */
export function formatAddress({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Creates an error with advice for an address that cannot be listened on; the system error is the cause. */
export function listenError(address: ListenAddress, cause: NodeJS.ErrnoException): Error {
  const advice =
    ADVICE[cause.code ?? ''] ??
    `The system says ${cause.code ?? 'no more'}. Set server.listen to another address.`;
  return new Error(`Cannot listen on ${formatAddress(address)}. ${advice}`, { cause });
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another process holds the port: stop it, or set server.listen to another port.',
  EACCES: 'The port needs privileges: set server.listen to a port above 1023, or grant CAP_NET_BIND_SERVICE.',
  EADDRNOTAVAIL: 'This machine does not have that address: set server.listen to one that it has.',
  ENOTFOUND: 'The host name is not known: set server.listen to an address of this machine.',
};

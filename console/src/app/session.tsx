import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useRead } from '../api/queries.js';
import { Failure, Loading } from '../kit/feedback.js';

/** What `GET /whoami` tells. */
interface WhoAmI {
  readonly username: string;
  readonly groups: readonly { readonly name: string }[];
  /** Ids of the operations that are open to this person, by application. */
  readonly methods: Readonly<Record<string, readonly string[]>>;
}

/** Who looks at the console, and what they may do. */
export interface Session {
  readonly name: string;
  readonly roles: readonly string[];
  /** True when the operation of this id is open to them. */
  readonly may: (operation: string) => boolean;
}

const CurrentSession = createContext<Session | undefined>(undefined);

/** Who looks. Only inside of {@link WithSession}. */
export function useSession(): Session {
  const session = useContext(CurrentSession);
  if (!session) throw new Error('there is no session here');
  return session;
}

export interface WithSessionProps {
  readonly children: ReactNode;
  /** Stands there for somebody who has not signed in. */
  readonly signIn: ReactNode;
}

/** Shows its children to whoever has signed in. */
export function WithSession({ children, signIn }: WithSessionProps): ReactNode {
  const { data, error, refetch } = useRead<WhoAmI>('/whoami');
  const session = useMemo(() => data && sessionOf(data), [data]);
  if (error?.status === 401) return signIn;
  if (error) return <Failure problem={error} onRetry={() => void refetch()} />;
  if (!session) return <Loading what="who you are" />;
  return <CurrentSession.Provider value={session}>{children}</CurrentSession.Provider>;
}

function sessionOf({ username, groups, methods }: WhoAmI): Session {
  const open = new Set(Object.values(methods).flat());
  return { name: username, roles: groups.map(({ name }) => name), may: (operation) => open.has(operation) };
}

import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { useRead } from '../api/queries.js';
import { setCurrentUser } from '../api/session.js';
import { Failure, Loading } from '../kit/feedback.js';

/** Reply of `GET /whoami`. */
interface WhoAmI {
  readonly id: string;
  readonly username: string;
  readonly groups: readonly { readonly name: string }[];
  /** Ids of the operations that the user may call, by application. */
  readonly methods: Readonly<Record<string, readonly string[]>>;
}

/** The current user and their permissions. */
export interface Session {
  readonly name: string;
  readonly roles: readonly string[];
  /** True if the user may call the operation with this id. */
  readonly may: (operation: string) => boolean;
}

const CurrentSession = createContext<Session | undefined>(undefined);

/** Returns the session of the current user. Only valid inside {@link WithSession}. */
export function useSession(): Session {
  const session = useContext(CurrentSession);
  if (!session) throw new Error('useSession is only valid inside WithSession');
  return session;
}

export interface WithSessionProps {
  readonly children: ReactNode;
  /** Shown to users who are not signed in. */
  readonly signIn: ReactNode;
}

/** Shows its children to users who are signed in. */
export function WithSession({ children, signIn }: WithSessionProps): ReactNode {
  const { data, error, refetch } = useRead<WhoAmI>('/whoami');
  const session = useMemo(() => data && sessionOf(data), [data]);
  const userId = data?.id;
  useEffect(() => {
    if (userId !== undefined) setCurrentUser(userId);
  }, [userId]);
  // A session that ends later keeps the page, with all that the person has entered.
  if (!session && error?.status === 401) return signIn;
  if (!session && error) return <Failure problem={error} onRetry={() => void refetch()} />;
  if (!session) return <Loading what="your session" />;
  return <CurrentSession.Provider value={session}>{children}</CurrentSession.Provider>;
}

function sessionOf({ username, groups, methods }: WhoAmI): Session {
  const open = new Set(Object.values(methods).flat());
  return { name: username, roles: groups.map(({ name }) => name), may: (operation) => open.has(operation) };
}

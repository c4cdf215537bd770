import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { useRead } from '../api/queries.js';
import { onSignIn, setCurrentUser } from '../api/session.js';
import { Failure, Loading } from '../kit/feedback.js';
import { textOf } from '../text/text.js';

/** Reply of `GET /whoami`. */
interface WhoAmI {
  readonly id: string;
  readonly username: string;
  readonly groups: readonly { readonly name: string }[];
  /** Seconds until the token expires. */
  readonly expiresIn: number;
  /** True if pages get the next token without the person. */
  readonly isRenewable: boolean;
  /** Ids of the operations that the user may call, by application. */
  readonly methods: Readonly<Record<string, readonly string[]>>;
  /** Roles of the operations that the user may not call, by the id of the operation. */
  readonly missingRoles: Readonly<Record<string, readonly string[]>>;
}

/** The current user and their permissions. */
export interface Session {
  /** Id of the user, as in `GET /whoami`. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** True if the user may call the operation with this id. */
  readonly may: (operation: string) => boolean;
  /** Roles of which the user needs one for an operation that the user may not call. */
  readonly missingRolesOf: (operation: string) => readonly string[];
  /** End of the session, in milliseconds since 1970; `undefined` if it renews itself. */
  readonly endsAt: number | undefined;
}

const CurrentSession = createContext<Session | undefined>(undefined);

/** Returns the session of the current user. Only valid inside {@link WithSession}. */
export function useSession(): Session {
  const session = useContext(CurrentSession);
  if (!session) throw new Error('useSession is only valid inside WithSession');
  return session;
}

interface WithSessionProps {
  readonly children: ReactNode;
  /** Shown to users who are not signed in. */
  readonly signIn: ReactNode;
}

/** Shows its children to users who are signed in. */
export function WithSession({ children, signIn }: WithSessionProps): ReactNode {
  const { data, error, refetch, dataUpdatedAt } = useRead<WhoAmI>('/whoami');
  const session = useMemo(() => data && sessionOf(data, dataUpdatedAt), [data, dataUpdatedAt]);
  useEffect(() => onSignIn(() => void refetch()), [refetch]);
  const userId = data?.id;
  useEffect(() => {
    if (userId !== undefined) setCurrentUser(userId);
  }, [userId]);
  // A session that ends later keeps the page, with all that the person has entered.
  if (!session && error?.status === 401) return signIn;
  if (!session && error) return <Failure problem={error} onRetry={() => void refetch()} />;
  if (!session) return <Loading what={textOf('shell')('session')} />;
  return <CurrentSession.Provider value={session}>{children}</CurrentSession.Provider>;
}

function sessionOf(reply: WhoAmI, readAt: number): Session {
  const { id, username, groups, methods, missingRoles, expiresIn, isRenewable } = reply;
  const open = new Set(Object.values(methods).flat());
  return {
    id,
    name: username,
    roles: groups.map(({ name }) => name),
    may: (operation) => open.has(operation),
    missingRolesOf: (operation) => missingRoles[operation] ?? [],
    endsAt: isRenewable ? undefined : readAt + expiresIn * 1000,
  };
}

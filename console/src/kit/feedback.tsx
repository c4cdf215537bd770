import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ApiProblem, SESSION_ENDED } from '../api/problem.js';
import { useSessionEnded, useSignInAgainPath } from '../api/use-session-ended.js';
import { rich } from '../text/rich.js';
import { textOf } from '../text/text.js';
import { Button } from './button.js';
import { text } from './kit-text.js';
import { recommendationFor } from './recommendation.js';
import { RequestLink } from './request-link.js';

/** Renders a placeholder while data is loading. */
export function Loading({ what }: { readonly what: string }): ReactNode {
  return (
    <div className="gh-stack" role="status" aria-label={text('loading', { what })}>
      <span className="gh-skeleton" />
      <span className="gh-skeleton" />
      <span className="gh-skeleton" />
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** What the list contains, and what to do next. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** Renders an empty state with its reason. */
export function Empty({ title, children, actions }: EmptyProps): ReactNode {
  return (
    <div className="gh-empty">
      <h2>{title}</h2>
      <div>{children}</div>
      {actions !== undefined && <div className="gh-actions">{actions}</div>}
    </div>
  );
}

interface NoticeProps {
  readonly kind: 'info' | 'success' | 'warning' | 'danger';
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** Renders an important message within the page. */
export function Notice({ kind, title, children, actions }: NoticeProps): ReactNode {
  return (
    <div className="gh-notice" data-kind={kind}>
      <div>
        <p className="gh-notice-title">
          <span className="gh-hidden">{text(`notice.${kind}`)}: </span>
          {title}
        </p>
        {children}
      </div>
      {actions !== undefined && <div className="gh-actions">{actions}</div>}
    </div>
  );
}

/** Shows that a request failed because the session has ended, and offers a sign-in. */
function RefusedRequest(): ReactNode {
  const isEnded = useSessionEnded();
  return isEnded ? (
    <Notice kind="warning" title={text('ended.title')} actions={<SignInAgainLink />}>
      {text('ended.help')}
    </Notice>
  ) : (
    <Notice kind="info" title={text('signedInAgain.title')}>
      {text('signedInAgain.help')}
    </Notice>
  );
}

/** Shows why a request failed, what to do next, and the errors of the request. */
export function Failure({
  problem,
  onRetry,
}: {
  readonly problem: ApiProblem;
  readonly onRetry?: () => void;
}): ReactNode {
  if (problem.status === 403)
    return <Empty title={text('refused.title')}>{text('refused.help', { reason: problem.message })}</Empty>;
  if (problem.code === SESSION_ENDED) return <RefusedRequest />;
  const { message, errors, requestId } = problem;
  const recommendation = recommendationFor(problem);
  const retry = onRetry && (
    <Button kind="link" onPress={onRetry}>
      {text('retry')}
    </Button>
  );
  return (
    <Notice kind="danger" title={message} {...(retry && { actions: retry })}>
      {recommendation !== undefined && <p>{recommendation}</p>}
      {errors.length > 0 && (
        <ul className="gh-faults">
          {errors.map(({ pointer, message: what }) => (
            <li key={`${pointer} ${what}`}>
              <code>{pointer === '' ? text('wholeDocument') : pointer}</code> {what}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && (
        <p className="gh-quiet">{rich(text, 'requestId', { id: () => <RequestLink id={requestId} /> })}</p>
      )}
    </Notice>
  );
}

interface ReadProps<Data> {
  readonly query: UseQueryResult<Data, ApiProblem>;
  /** Name of the data: "the adapters". */
  readonly what: string;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Shows data that was read; before that, a placeholder or an error. Existing data stays visible during the
 * next read.
 */
export function Read<Data>({ query, what, children }: ReadProps<Data>): ReactNode {
  const { data, error, isPending, refetch } = query;
  const retry = () => void refetch();
  if (isPending) return <Loading what={what} />;
  if (data === undefined) return error && <Failure problem={error} onRetry={retry} />;
  return (
    <>
      {error && <Failure problem={error} onRetry={retry} />}
      {children(data)}
    </>
  );
}

/** Renders a link that signs in again in a new window, so that the page stays as it is. */
export function SignInAgainLink(): ReactNode {
  const path = useSignInAgainPath();
  return (
    <a href={path} target="_blank" rel="noreferrer">
      {textOf('kit')('signInAgain')}
    </a>
  );
}

import { type ReactNode, useEffect, useState } from 'react';
import './sign-in.css';
import { type ApiProblem, problemOf } from '../../api/problem.js';
import { useRead } from '../../api/queries.js';
import { type ApiRequest, pathOf, request } from '../../api/request.js';
import { announce, isSessionEnded, renewSession } from '../../api/session.js';
import { SubmitButton } from '../../kit/button.js';
import { Failure, Notice, Read } from '../../kit/feedback.js';
import { EntryForm, TextAreaField, TextField } from '../../kit/fields.js';
import logo from '../../style/gatehouse.svg';
import { rich } from '../../text/rich.js';
import { textOf } from '../../text/text.js';
import { failureIn } from './failure.js';
import { afterSignIn } from './return-path.js';

const text = textOf('sign-in');

/** Renders words of a message as code. */
const asCode = (children: ReactNode) => <code>{children}</code>;

/** Reply of `GET /console/sign-in`. */
interface SignInChoices {
  readonly local: boolean;
  readonly token: boolean;
  /** False if the server does not accept cookies; then sign-in is not possible. */
  readonly cookies?: boolean;
  readonly issuers: readonly { readonly issuer: string; readonly name: string }[];
}

/** Renders sign-in with an identity provider, with name and password, or with a token. */
export function SignIn(): ReactNode {
  const methods = useRead<SignInChoices>('/console/sign-in');
  const failure = failureIn(window.location);
  const isFirstAttempt = !failure && new URLSearchParams(window.location.search).get('prompt') === null;
  useEffect(() => {
    document.title = text('windowTitle');
  }, []);
  useEffect(() => {
    if (!isFirstAttempt || isSessionEnded()) return;
    // The token may have expired while the session has not.
    void renewSession().then((renewal) => {
      if (renewal === 'renewed') window.location.assign(returnPath());
    });
  }, [isFirstAttempt]);
  return (
    <div className="gh-entry">
      <div className="gh-entry-picture">
        <SignInIllustration />
        <p>{text('lead')}</p>
      </div>
      <main className="gh-sign-in">
        <h1>
          <img src={logo} alt="" width="40" height="40" /> gatehouse
        </h1>
        {failure && (
          <Notice kind="danger" title={text('failed')}>
            {failure.sentence}
            {failure.requestId !== undefined && (
              <> {rich(text, 'failed.request', { id: failure.requestId, code: asCode })}</>
            )}
          </Notice>
        )}
        <Read query={methods} what={text('methods')}>
          {(found) => <SignInMethods {...found} />}
        </Read>
      </main>
    </div>
  );
}

function SignInMethods({ local, token, cookies = true, issuers }: SignInChoices): ReactNode {
  if (!cookies)
    return (
      <Notice kind="warning" title={text('disabled')}>
        {rich(text, 'disabled.help', { code: asCode })}
      </Notice>
    );
  const asksAgain = new URLSearchParams(window.location.search).get('prompt') === 'login';
  return (
    <>
      {issuers.map(({ issuer, name }) => (
        <div key={issuer} className="gh-stack">
          <a className="gh-sign-in-way" href={beginPath(issuer, asksAgain ? 'login' : undefined)}>
            {text('with', { name })}
          </a>
          {!asksAgain && <a href={beginPath(issuer, 'login')}>{text('otherAccount', { name })}</a>}
        </div>
      ))}
      {issuers.length > 0 && (local || token) && <div className="gh-sign-in-or">{text('or')}</div>}
      {local && <PasswordForm />}
      {token && <TokenForm isOpen={!local && issuers.length === 0} />}
    </>
  );
}

function beginPath(issuer: string, prompt: 'login' | undefined): string {
  const { origin } = window.location;
  return pathOf(['console', 'oidc', 'begin'], { issuer, return: returnPath(), prompt, origin });
}

function returnPath(): string {
  return afterSignIn(window.location);
}

function PasswordForm(): ReactNode {
  const [username, setName] = useState('');
  const [password, setPassword] = useState('');
  return (
    <SignInMethod
      label={text('password.label')}
      wanted={() => ({ method: 'POST', path: '/login', body: { username, password } })}
    >
      <TextField
        label={text('name')}
        value={username}
        onChange={setName}
        autoComplete="username"
        isRequired
        hasFocus
      />
      <TextField
        label={text('password')}
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        isRequired
      />
    </SignInMethod>
  );
}

function TokenForm({ isOpen }: { readonly isOpen: boolean }): ReactNode {
  const [token, setToken] = useState('');
  return (
    <details open={isOpen} className="gh-sign-in-token">
      <summary>{text('token.label')}</summary>
      <SignInMethod
        label={text('token.label')}
        wanted={() => ({ method: 'POST', path: '/console/session', body: { token: token.trim() } })}
      >
        <TextAreaField
          label={text('token')}
          isCode
          rows={4}
          value={token}
          onChange={setToken}
          help={text('token.help')}
          isRequired
        />
        <code className="gh-command">{text('token.command')}</code>
      </SignInMethod>
    </details>
  );
}

interface SignInMethodProps {
  readonly label: string;
  readonly wanted: () => ApiRequest;
  readonly children: ReactNode;
}

/** Renders a sign-in method: its fields, its button, and its result. */
function SignInMethod({ label, wanted, children }: SignInMethodProps): ReactNode {
  const [problem, setProblem] = useState<ApiProblem>();
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    try {
      await request(wanted());
      announce('signed-in');
      // Loads a new page, so that no data of another user stays.
      window.location.assign(returnPath());
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <EntryForm label={label} onSubmit={() => void submit()}>
      {problem && <Failure problem={problem} />}
      {children}
      <SubmitButton isBusy={isBusy}>{text('submit')}</SubmitButton>
    </EntryForm>
  );
}

const LANE_Y = [140, 190, 240, 290, 340];
const LEFT_Y = [60, 120, 240, 360, 420];
const RIGHT_Y = [90, 165, 240, 315, 390];

/** Renders the illustration of the sign-in page: a gate with paths on both sides. */
function SignInIllustration(): ReactNode {
  return (
    <svg className="gh-scene" viewBox="0 0 480 480" aria-hidden="true" focusable="false">
      {LANE_Y.map((lane, at) => (
        <g key={lane} className="gh-scene-lane">
          <path d={`M0 ${LEFT_Y[at]} C 90 ${LEFT_Y[at]}, 110 ${lane}, 190 ${lane}`} />
          <path d={`M290 ${lane} C 370 ${lane}, 390 ${RIGHT_Y[at]}, 480 ${RIGHT_Y[at]}`} />
          <circle cx="36" cy={LEFT_Y[at]} r="5" />
          <circle cx="444" cy={RIGHT_Y[at]} r="5" />
        </g>
      ))}
      <g className="gh-scene-gate">
        <path d="M176 112 h28 v18 h22 v-18 h28 v18 h22 v-18 h28 v256 h-128 z" />
        <path className="gh-scene-arch" d="M204 368 v-96 a36 36 0 0 1 72 0 v96 z" />
        <path
          className="gh-scene-bars"
          d="M222 368 v-128 M240 368 v-132 M258 368 v-128 M204 292 h72 M204 330 h72"
        />
      </g>
    </svg>
  );
}

import type { ReactNode } from 'react';
import './first-steps.css';
import { Button } from '../../kit/button.js';
import { CodeView } from '../../kit/copy.js';
import { Notice } from '../../kit/feedback.js';
import { Link } from '../../kit/link.js';
import { Panel } from '../../kit/page.js';
import { StatusLabel } from '../../kit/status.js';
import { useToast } from '../../kit/toasts.js';
import { textOf } from '../../text/text.js';
import { chooseFirstSteps } from './first-steps-choice.js';
import type { FirstStep } from './first-steps.js';
import { useFirstSteps } from './use-first-steps.js';

const text = textOf('first-steps');

/** Block of the main configuration file, as `gatehouse init` writes it. */
const VAULT_YAML = `vault:
  address: https://vault.example:8200
  auth:
    method: approle
    roleIdFile: /run/vault/role_id
    secretIdFile: /run/vault/secret_id`;

/** Renders the checklist of the first hour; nothing on an installation that is in use. */
export function FirstSteps(): ReactNode {
  const found = useFirstSteps();
  const hide = useHide();
  if (!found) return null;
  const { steps, isRequested } = found;
  const all = steps.length;
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  const hideButton = (
    <Button kind="link" isSmall label={text('hideLabel')} onPress={hide}>
      {text('hide')}
    </Button>
  );
  if (!next && !isRequested)
    return (
      <Notice kind="success" title={text('allDone')} actions={hideButton}>
        {text('allDoneHelp')}
      </Notice>
    );
  return (
    <Panel title={text('title')} actions={hideButton}>
      <p className="gh-first-progress">
        <progress max={all} value={done} aria-label={text('progressLabel')} />
        <span role="status">{text('progress', { done, all })}</span>
      </p>
      <ol className="gh-first-steps">
        {steps.map((step) => (
          <Step key={step.key} step={step} isNext={step === next} />
        ))}
      </ol>
    </Panel>
  );
}

/** Returns a function that hides the steps, says how to see them again, and moves the focus to the heading. */
function useHide(): () => void {
  const showToast = useToast();
  return () => {
    chooseFirstSteps('hidden');
    document.querySelector<HTMLElement>('h1')?.focus();
    showToast('success', text('hidden'));
  };
}

function Step({ step, isNext }: { readonly step: FirstStep; readonly isNext: boolean }): ReactNode {
  const { key, isDone } = step;
  return (
    <li data-done={isDone} {...(isNext && { 'aria-current': 'step' as const })}>
      <StatusLabel status={isDone ? 'good' : isNext ? 'busy' : 'off'}>
        {text(isDone ? 'done' : isNext ? 'next' : 'open')}
      </StatusLabel>
      <div className="gh-first-text">
        <strong>{text(`${key}.title`)}</strong>
        <p>{sentenceOf(step)}</p>
        {key === 'vault' && step.vault === 'missing' && <VaultBlock />}
      </div>
      <StepLink step={step} />
    </li>
  );
}

function VaultBlock(): ReactNode {
  return (
    <details>
      <summary>{text('vault.how')}</summary>
      <p>{text('vault.howHelp')}</p>
      <CodeView label={text('vault.file')} text={VAULT_YAML} />
    </details>
  );
}

function StepLink({ step }: { readonly step: FirstStep }): ReactNode {
  if (step.key === 'signIn' || step.to === undefined) return null;
  const { key, to, isDone } = step;
  if (key === 'call') return <Link to={to}>{text('call.link', { name: step.adapter ?? '' })}</Link>;
  if (key === 'form') return <Link to={to}>{text(isDone ? 'form.listLink' : 'form.link')}</Link>;
  return <Link to={to}>{text(`${key}.link`)}</Link>;
}

function sentenceOf(step: FirstStep): string {
  switch (step.key) {
    case 'signIn':
      return text('signIn.done', { name: step.userName });
    case 'vault':
      return text(`vault.${step.vault}`);
    case 'adapter':
      return step.isDone ? text('adapter.done', { count: step.count }) : text('adapter.todo');
    case 'call':
      if (step.isDone) return text('call.done');
      return step.adapter === undefined ? text('call.wait') : text('call.todo', { name: step.adapter });
    case 'form':
      return text(step.isDone ? 'form.done' : 'form.todo');
  }
}

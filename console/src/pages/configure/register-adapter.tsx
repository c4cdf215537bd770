import { type ReactNode, useState } from 'react';
import { Page } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import type { StartingPoint } from './adapter-template.js';
import { ChooseOrchestrator } from './choose-orchestrator.js';
import { RegisterForm } from './register-form.js';
import './configure.css';

const text = textOf('configure');

/** Renders the page that registers an adapter: choose the orchestrator, fill in the form, test, save. */
export function RegisterAdapter(): ReactNode {
  const [start, setStart] = useState<StartingPoint>();
  return (
    <Page title={text('title')} lead={text('lead')}>
      {start ? (
        <RegisterForm start={start} onBack={() => setStart(undefined)} />
      ) : (
        <ChooseOrchestrator onChoose={setStart} />
      )}
    </Page>
  );
}

import { type ReactNode, useState } from 'react';
import { type ApiRequest, pathOf } from '../../api/request.js';
import { Button } from '../../kit/button.js';
import { Failure } from '../../kit/feedback.js';
import { Actions, Panel } from '../../kit/page.js';
import { textOf } from '../../text/text.js';
import { ConnectionResult } from './connection-result.js';
import { type ConnectionTestState, useConnectionTest } from './use-connection-test.js';

const text = textOf('configure');

/** Tests the connection of an adapter of the configuration, and shows the five steps. */
export function TestConnection({ name }: { readonly name: string }): ReactNode {
  const test = useConnectionTest();
  return (
    <TestPanel
      test={test}
      help={text('testSavedHelp')}
      request={{ method: 'POST', path: pathOf(['adapters', name, 'connection-test']) }}
    />
  );
}

interface TestUnsavedProps {
  readonly test: ConnectionTestState;
  /** The body that would register or change the adapter. */
  readonly body: string;
  readonly isReady: boolean;
}

/**
 * Tests the connection of an adapter with settings that are not saved: a button beside the one that saves, and the five steps
 * above both. The page shows a refused request at its fields.
 */
export function useUnsavedTest({ test, body, isReady }: TestUnsavedProps): {
  readonly button: ReactNode;
  readonly result: ReactNode;
} {
  const [tested, setTested] = useState(body);
  const { isRunning, result, start, cancel } = test;
  const run = () => {
    setTested(body);
    start({ method: 'POST', path: '/adapters/connection-test', json: body });
  };
  return {
    button: (
      <>
        <Button isBusy={isRunning} isDisabled={!isReady} onPress={run}>
          {text(result ? 'testAgain' : 'testConnection')}
        </Button>
        {isRunning && <Button onPress={cancel}>{text('cancelTest')}</Button>}
      </>
    ),
    result: (
      <div className="gh-test-result" role="status">
        {isRunning && <p>{text('testing')}</p>}
        {result && tested !== body && <p>{text('testOutdated')}</p>}
        {result && <ConnectionResult test={result} />}
      </div>
    ),
  };
}

interface TestPanelProps {
  readonly test: ConnectionTestState;
  readonly help: string;
  readonly request: ApiRequest;
}

function TestPanel(props: TestPanelProps): ReactNode {
  const { test, help, request } = props;
  const { isRunning, result, problem, start, cancel } = test;
  return (
    <Panel title={text('testTitle')}>
      <div className="gh-stack">
        <p className="gh-quiet" role="status">
          {isRunning ? text('testing') : help}
        </p>
        <Actions>
          <Button isBusy={isRunning} onPress={() => start(request)}>
            {result || problem ? text('testAgain') : text('testConnection')}
          </Button>
          {isRunning && <Button onPress={cancel}>{text('cancelTest')}</Button>}
        </Actions>
        {problem && <Failure problem={problem} />}
        {result && <ConnectionResult test={result} />}
      </div>
    </Panel>
  );
}

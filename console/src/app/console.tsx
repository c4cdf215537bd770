import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { createQueryClient } from '../api/queries.js';
import { navigateGuarded } from '../kit/leaving.js';
import { Toasts } from '../kit/toasts.js';
import { SignInComplete } from '../pages/sign-in/sign-in-complete.js';
import { SignIn } from '../pages/sign-in/sign-in.js';
import { ConnectionLost, SessionEnded } from './banners.js';
import { GuardedConsole, GuardedPart } from './guards.js';
import { Routes } from './routes.js';
import { WithSession } from './session.js';
import { Shell } from './shell.js';
import { useLive } from './use-live.js';

/** Path of the console on its server. */
const BASE = '/ui';

/** Renders the console: sign-in, session, navigation and pages. */
export function Console(): ReactNode {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Router base={BASE} aroundNav={navigateGuarded}>
        <GuardedConsole>
          <Toasts>
            <Switch>
              <Route path="/sign-in">
                <SignIn />
              </Route>
              <Route path="/signed-in">
                <SignInComplete />
              </Route>
              <Route>
                <WithSession signIn={<SignIn />}>
                  <SignedInConsole />
                </WithSession>
              </Route>
            </Switch>
          </Toasts>
        </GuardedConsole>
      </Router>
    </QueryClientProvider>
  );
}

function SignedInConsole(): ReactNode {
  const isLive = useLive();
  return (
    <Shell isLive={isLive}>
      <GuardedPart>
        <ConnectionLost />
        <SessionEnded />
      </GuardedPart>
      <Routes />
    </Shell>
  );
}

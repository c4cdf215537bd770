import { type ReactNode, useEffect } from 'react';
import '../../style/sign-in.css';
import { announce } from '../../api/session.js';

/** The last page of a sign-in in a window of its own: continues the other pages, and closes the window. */
export function SignInComplete(): ReactNode {
  useEffect(() => {
    document.title = 'Signed in · gatehouse';
    announce('signed-in');
    // Browsers close only windows that a page has opened.
    window.close();
  }, []);
  return (
    <main className="gh-sign-in">
      <h1>You are signed in</h1>
      <p>Close this window, and continue in the other one.</p>
      <p>
        <a href="/ui/">Open the console here</a>
      </p>
    </main>
  );
}

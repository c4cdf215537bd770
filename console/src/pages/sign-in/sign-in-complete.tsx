import { type ReactNode, useEffect } from 'react';
import './sign-in.css';
import { announce } from '../../api/session.js';
import { textOf } from '../../text/text.js';

const text = textOf('sign-in');

/** The last page of a sign-in in a window of its own: continues the other pages, and closes the window. */
export function SignInComplete(): ReactNode {
  useEffect(() => {
    document.title = text('complete.windowTitle');
    announce('signed-in');
    // Browsers close only windows that a page has opened.
    window.close();
  }, []);
  return (
    <main className="gh-sign-in">
      <h1>{text('complete.title')}</h1>
      <p>{text('complete.help')}</p>
      <p>
        <a href="/ui/">{text('complete.open')}</a>
      </p>
    </main>
  );
}

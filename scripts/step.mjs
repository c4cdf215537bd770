// Steps of a build: each prints one line with its seconds.
import { spawn } from 'node:child_process';

/** Runs a function and prints what it did and how long it took, unless it returns false. */
export async function step(about, carryOut) {
  const started = performance.now();
  const result = await carryOut();
  if (result !== false) console.error(`> ${about}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** Runs a program as a step. Prints its output and ends this process if the program fails. */
export function run(about, [command, ...args], cwd) {
  return step(about, async () => {
    if (process.stderr.isTTY) process.stderr.write(`> ${about} ...\r`);
    const { status, output } = await outcomeOf(command, args, cwd);
    if (status === 0) return;
    console.error(`> ${about} failed:\n${output}`);
    console.error(
      `> '${[command, ...args].join(' ')}' ended with ${status}. Correct the cause and run the command again.`,
    );
    process.exit(1);
  });
}

function outcomeOf(command, args, cwd) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('error', ({ message }) => {
      resolve({ status: message, output });
    });
    child.on('close', (code, signal) => {
      resolve({ status: code ?? signal, output });
    });
  });
}
